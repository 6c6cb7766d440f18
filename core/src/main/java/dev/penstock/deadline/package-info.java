/**
 * Limits the time of a whole transaction, from offer to answer, including waits and retries.
 *
 * <pre>
 *   offered --> time left &lt;= 0 ? --yes--> Rejected(deadline)
 *                   | no
 *                   v   the time left is passed on: stages wait no longer, targets use it as their timeout
 *   target honors deadlines ? --yes--> called on the caller's thread
 *                   | no
 *                   v   called on a virtual thread; at the deadline it is interrupted, and the caller gets Unknown(timeout)
 * </pre>
 *
 * <p>If the calling thread already has a deadline ({@link dev.penstock.Deadline}), the earlier of the two applies.
 */
@NullMarked
package dev.penstock.deadline;

import org.jspecify.annotations.NullMarked;
