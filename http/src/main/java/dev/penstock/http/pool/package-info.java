/**
 * Connections to one server, kept for reuse and known to be alive when they are used. It carries bytes and knows nothing of
 * HTTP.
 *
 * <pre>
 *   lease --> newest idle one --> look (does not wait) --> use --> release
 *               |  none: open one, if there may be one more; else wait, bounded
 *   EventLoop, one thread: reads for all, sees a peer's close and closes at once,
 *              cuts what is used for longer than it may be, retires what is too old
 *   IdleAgeEstimator (pure): at which idle age does this peer close? retire before it
 *   PoolSize (pure): how many may be in use at once?
 * </pre>
 *
 * <p>Public only for the package above it; embedding programs use {@link dev.penstock.http.HttpTarget}.
 */
@NullMarked
package dev.penstock.http.pool;

import org.jspecify.annotations.NullMarked;
