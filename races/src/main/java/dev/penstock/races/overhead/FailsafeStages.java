package dev.penstock.races.overhead;

import dev.failsafe.Bulkhead;
import dev.failsafe.CircuitBreaker;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import dev.failsafe.Timeout;
import dev.penstock.Service;
import java.time.Duration;

/**
 * Failsafe's retry policy around its circuit breaker around its bulkhead, in one executor created once.
 *
 * <p>Does: retries, a breaker over the last 10 s, permits with a bounded wait. With its timeout around all of them it
 * also limits the whole call, with a timer per call. Does not: count or time calls, pass the remaining time to the
 * target, know which endings are safe to retry. Its timeout is not configured to interrupt, so that a late call ends
 * when the target answers, as in a flow.
 */
final class FailsafeStages {
    private FailsafeStages() {}

    static Service<Object, Object> around(Service<Object, Object> service) {
        return through(Failsafe.with(retry(), breaker(), bulkhead()), service);
    }

    static Service<Object, Object> aroundWithTimeout(Service<Object, Object> service) {
        Timeout<Object> timeout = Timeout.of(Duration.ofSeconds(5));
        return through(Failsafe.with(timeout, retry(), breaker(), bulkhead()), service);
    }

    private static Service<Object, Object> through(FailsafeExecutor<Object> executor, Service<Object, Object> service) {
        return request -> executor.get(() -> service.call(request));
    }

    private static RetryPolicy<Object> retry() {
        return RetryPolicy.builder()
                .withMaxAttempts(3)
                .withBackoff(Duration.ofMillis(50), Duration.ofSeconds(2))
                .build();
    }

    private static CircuitBreaker<Object> breaker() {
        return CircuitBreaker.builder()
                .withFailureRateThreshold(50, 20, Duration.ofSeconds(10))
                .withDelay(Duration.ofSeconds(5))
                .withSuccessThreshold(3)
                .build();
    }

    private static Bulkhead<Object> bulkhead() {
        return Bulkhead.builder(512).withMaxWaitTime(Duration.ofMillis(500)).build();
    }
}
