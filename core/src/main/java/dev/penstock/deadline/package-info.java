/**
 * The time that a whole transaction may take, from its offer to its answer, waits and repeats included.
 *
 * <pre>
 *   offered --> time left &lt;= 0 ? --yes--> Rejected(deadline)
 *                   | no
 *                   v   the time left travels on: stages wait no longer, targets get it as their timeout
 * </pre>
 *
 * <p>A transaction that comes with a deadline of its own ({@link dev.penstock.Deadline}) keeps the earlier of the two.
 */
@NullMarked
package dev.penstock.deadline;

import org.jspecify.annotations.NullMarked;
