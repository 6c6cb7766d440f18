package dev.penstock.races.overhead;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixCommandProperties.ExecutionIsolationStrategy;
import dev.penstock.Service;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Hystrix command on the caller's thread (semaphore isolation), a new one per call, as its API requires.
 *
 * <p>Does: counts and times calls over the last 10 s, a breaker, permits, a timeout with a timer per call. Does not:
 * retry; wait for a permit (the 513th is rejected immediately); end a late call before its target answers. Its
 * properties come from Archaius, as by default.
 */
final class HystrixStages {
    /** Hystrix keeps state per command name for the whole JVM: each contestant gets a unique name. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private HystrixStages() {}

    static Service<Object, Object> around(Service<Object, Object> service) {
        HystrixCommand.Setter settings = HystrixCommand.Setter.withGroupKey(
                        HystrixCommandGroupKey.Factory.asKey("overhead"))
                .andCommandKey(HystrixCommandKey.Factory.asKey("overhead-" + MADE.incrementAndGet()))
                .andCommandPropertiesDefaults(HystrixCommandProperties.Setter()
                        .withExecutionIsolationStrategy(ExecutionIsolationStrategy.SEMAPHORE)
                        .withExecutionIsolationSemaphoreMaxConcurrentRequests(512)
                        .withExecutionTimeoutInMilliseconds(5_000)
                        .withCircuitBreakerRequestVolumeThreshold(20)
                        .withCircuitBreakerErrorThresholdPercentage(50)
                        .withFallbackEnabled(false));
        return request -> new Command(settings, service, request).execute();
    }

    private static final class Command extends HystrixCommand<Object> {
        private final Service<Object, Object> service;
        private final Object request;

        Command(HystrixCommand.Setter settings, Service<Object, Object> service, Object request) {
            super(settings);
            this.service = service;
            this.request = request;
        }

        @Override
        protected Object run() throws Exception {
            return service.call(request);
        }
    }
}
