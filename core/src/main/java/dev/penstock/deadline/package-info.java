/**
 * The time that a whole transaction may take, from its offer to its answer, waits and repeats included.
 *
 * <pre>
 *   offered --> time left &lt;= 0 ? --yes--> Rejected(deadline)
 *                   | no
 *                   v   the time left travels on: stages wait no longer, targets get it as their timeout
 *   target honors deadlines ? --yes--> called on the caller's thread
 *                   | no
 *                   v   called on a virtual thread; at the deadline it is interrupted, and the caller has Unknown(timeout)
 * </pre>
 *
 * <p>A transaction that comes with a deadline of its own ({@link dev.penstock.Deadline}) keeps the earlier of the two.
 */
@NullMarked
package dev.penstock.deadline;

import org.jspecify.annotations.NullMarked;
