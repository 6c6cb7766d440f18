package dev.penstock.http.pool;

import org.jspecify.annotations.Nullable;

/**
 * What bounds a pool.
 *
 * @param max how many connections may be in use at once; null finds it by what is carried
 * @param idle nanoseconds for which one may lie idle
 * @param idleIsPinned whether that stays as it is whatever the peer is seen to do
 * @param sweep nanoseconds between two looks for what is idle for too long; 0 looks when the next one is
 * @param maxAge nanoseconds after which one is not used again; {@link Long#MAX_VALUE} for no bound
 * @param validateAfter nanoseconds for which one may lie idle and still be used without a look
 */
public record PoolLimits(
        @Nullable Integer max, long idle, boolean idleIsPinned, long sweep, long maxAge, long validateAfter) {}
