/**
 * Retries: sends requests again that are safe to send again, with exponential backoff and a budget that protects the target.
 *
 * <pre>{@code
 *   attempt --answered------------------------------> done
 *      ^    --not answered--> safe to retry?   --no--> unknown, with a status probe? --no--> done: rejected, failed
 *      |                      attempts left?   --no-->      |                                     or unknown
 *      |                      time left?       --no-->      v
 *      |                      budget left?     --no-->     ask --answered----------> done, with that answer
 *      +------ wait: full jitter <------yes                 |  --still unknown-----> done: unknown
 *      ^                                                    v
 *      +------ the same, if attempts, time and budget <--- not there  --otherwise--> done: failed, not there
 * }</pre>
 *
 * <p>Rejections, failures before anything was sent, and read-only requests are safe to retry. Unknown endings are safe with a
 * key by which the target deduplicates requests, or for requests that are declared idempotent. Other unknown endings stay
 * unknown, unless a status probe resolves them.
 *
 * <p>The wait is exponential backoff with full jitter (Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture
 * Blog, 2015); the budget is that of Finagle's RetryBudget: a share of the recent requests plus a small reserve, so that
 * retries cannot multiply an overload. Only what the target receives again is charged.
 *
 * <p>Where to find what: {@link dev.penstock.Retry} and {@link dev.penstock.Settle} are the configuration, {@link
 * dev.penstock.retry.RetryFilter} is the filter, and {@link dev.penstock.retry.SettleFilter} asks the status probe. {@link
 * dev.penstock.retry.RetryBudget} and {@link dev.penstock.retry.Backoff} decide whether and when to retry.
 */
@NullMarked
package dev.penstock.retry;

import org.jspecify.annotations.NullMarked;
