/**
 * A connection pool for one server, which checks that connections are alive before it lends them. It transports bytes and does
 * not depend on HTTP.
 *
 * <pre>
 *   ConnectionPool.acquire --> Lease: a permit --> newest idle connection, checked without blocking --> use --> close
 *                                                    |  none idle: open one, within the limits
 *   ConnectionSet: all connections, and the queue of the idle ones
 *   IdleEviction: closes idle connections that are expired, closed by the peer, or as old as a dead one
 *   EventLoop, one thread per pool: reads from all connections, closes them when the peer closes,
 *              when an exchange times out, and when they are idle for too long or too old
 *   IdleAgeEstimator (pure): learns at which idle age the peer closes; connections are closed before
 *   PoolSize (pure): determines how many connections may be in use
 * </pre>
 *
 * <p>Public only for the package above it. Programs use {@link dev.penstock.http.HttpTarget}.
 */
@NullMarked
package dev.penstock.http.pool;

import org.jspecify.annotations.NullMarked;
