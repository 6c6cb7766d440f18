package dev.penstock.races.overhead;

import dev.penstock.Service;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.core.functions.CheckedFunction;
import io.github.resilience4j.micrometer.tagged.TaggedBulkheadMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.github.resilience4j.micrometer.tagged.TaggedRetryMetrics;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;

/**
 * resilience4j's retry around its circuit breaker around its semaphore bulkhead, decorated once, not per call.
 *
 * <p>Does: retries; a breaker over the last 100 calls (its default), or over the last 10 s (as the others, at a higher
 * cost); permits with a bounded wait. Does not: limit the time of a call (see the package), count or time calls, know
 * which endings are safe to retry.
 *
 * <p>When metered, all three are bound to Micrometer: counts, and one timer per outcome at the breaker. That measures
 * an attempt, not a whole call with its waits and retries, and has no percentiles.
 */
final class Resilience4jStages {
    private static final String NAME = "overhead";

    private final BulkheadRegistry bulkheads = BulkheadRegistry.of(BulkheadConfig.custom()
            .maxConcurrentCalls(512)
            .maxWaitDuration(Duration.ofMillis(500))
            .build());
    private final CircuitBreakerRegistry breakers;
    private final RetryRegistry retries = RetryRegistry.of(RetryConfig.custom()
            .maxAttempts(3)
            .intervalFunction(
                    IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(50), 2, Duration.ofSeconds(2)))
            .build());

    private Resilience4jStages(int window, SlidingWindowType type) {
        breakers = CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                .slidingWindow(window, 20, type)
                .failureRateThreshold(50)
                .waitDurationInOpenState(Duration.ofSeconds(5))
                .permittedNumberOfCallsInHalfOpenState(3)
                .build());
    }

    private static Resilience4jStages overCalls() {
        return new Resilience4jStages(100, SlidingWindowType.COUNT_BASED);
    }

    static Service<Object, Object> around(Service<Object, Object> service) {
        return overCalls().decorate(service);
    }

    static Service<Object, Object> aroundOverTime(Service<Object, Object> service) {
        return new Resilience4jStages(10, SlidingWindowType.TIME_BASED).decorate(service);
    }

    static Service<Object, Object> aroundMetered(Service<Object, Object> service) {
        Resilience4jStages stages = overCalls();
        MeterRegistry registry = new SimpleMeterRegistry();
        TaggedBulkheadMetrics.ofBulkheadRegistry(stages.bulkheads).bindTo(registry);
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(stages.breakers).bindTo(registry);
        TaggedRetryMetrics.ofRetryRegistry(stages.retries).bindTo(registry);
        return stages.decorate(service);
    }

    private Service<Object, Object> decorate(Service<Object, Object> service) {
        CheckedFunction<Object, Object> limited =
                Bulkhead.decorateCheckedFunction(bulkheads.bulkhead(NAME), service::call);
        CheckedFunction<Object, Object> guarded =
                CircuitBreaker.decorateCheckedFunction(breakers.circuitBreaker(NAME), limited);
        CheckedFunction<Object, Object> repeated = Retry.decorateCheckedFunction(retries.retry(NAME), guarded);
        return request -> {
            try {
                return repeated.apply(request);
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("neither exception nor error", e);
            }
        };
    }
}
