package dev.penstock.http.pool;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a pool. Times are in nanoseconds.
 *
 * @param max maximum number of connections in use; null adapts it to the throughput
 * @param idle maximum idle time
 * @param idleIsPinned whether the idle time is fixed, instead of being shortened when the peer is observed to close earlier
 * @param sweep time between two checks for expired idle connections; 0 checks when the next one expires
 * @param maxAge age after which a connection is not reused; {@link Long#MAX_VALUE} for unlimited
 * @param validateAfter a connection idle for less than this is used without a liveness check
 */
public record PoolLimits(
        @Nullable Integer max, long idle, boolean idleIsPinned, long sweep, long maxAge, long validateAfter) {}
