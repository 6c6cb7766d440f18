/**
 * Repeats what is safe to repeat, a few times, later and later, and not more than the target can bear.
 *
 * <pre>
 *   attempt --answered------------------------------> done
 *      ^    --not answered--> safe to repeat?  --no--> unknown, and someone to ask?  --no--> done: rejected, failed
 *      |                      attempts left?   --no-->      |                                     or unknown
 *      |                      time left?       --no-->      v
 *      |                      budget left?     --no-->     ask --answered----------> done, by that answer
 *      +------ wait: full jitter <------yes                 |  --still unknown-----> done: unknown
 *      ^                                                    v
 *      +------ the same, if attempts, time and budget <--- not there  --otherwise--> done: failed, not there
 * </pre>
 *
 * <p>Safe are rejections, failures before anything was sent, and requests that only read. Unknown endings are safe with a
 * key that makes the target take the request once, or for a request that is declared idempotent. All others stay unknown
 * unless there is a status probe to ask what became of them.
 *
 * <p>The wait is exponential backoff with full jitter (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture
 * Blog, 2015); the budget is that of Finagle's RetryBudget: a share of the recent requests plus a small reserve, so that
 * repeats cannot multiply an overload.
 *
 * <p>The rooms: {@link dev.penstock.retry.Retry} and {@link dev.penstock.retry.Settle} are what users set, {@link
 * dev.penstock.retry.RetryFilter} is the filter and {@link dev.penstock.retry.Settler} asks for it, {@link
 * dev.penstock.retry.RetryBudget} and {@link dev.penstock.retry.Backoff} decide.
 */
@NullMarked
package dev.penstock.retry;

import org.jspecify.annotations.NullMarked;
