/**
 * Repeats what is safe to repeat, a few times, later and later, and not more than the target can bear.
 *
 * <pre>
 *   attempt --answered------------------------------> done
 *      ^    --not answered--> safe to repeat?  --no--> done: rejected, failed or unknown
 *      |                      attempts left?   --no-->
 *      |                      time left?       --no-->
 *      |                      budget left?     --no-->
 *      +------ wait: full jitter <------yes
 * </pre>
 *
 * <p>Safe are rejections, failures before anything was sent, and, with a key that makes the target take it once, unknown
 * endings too. The wait is exponential backoff with full jitter (Marc Brooker, "Exponential Backoff And Jitter", AWS
 * Architecture Blog, 2015); the budget is that of Finagle's RetryBudget: a share of the recent requests plus a small
 * reserve, so that repeats cannot multiply an overload.
 *
 * <p>The rooms: {@link dev.penstock.retry.Retry} is what users set, {@link dev.penstock.retry.RetryFilter} the filter,
 * {@link dev.penstock.retry.RetryBudget} and {@link dev.penstock.retry.Backoff} decide.
 */
@NullMarked
package dev.penstock.retry;

import org.jspecify.annotations.NullMarked;
