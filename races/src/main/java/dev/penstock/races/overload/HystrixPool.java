package dev.penstock.races.overload;

import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixThreadPoolProperties;
import com.netflix.hystrix.exception.HystrixRuntimeException;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A Hystrix command on its thread pool of 100, with a queue of 100 and its timeout of 1 s. Offered requests are
 * observed: the pool rejects immediately, on the offering thread, and its own threads report answers. Its breaker is
 * off: it counts rejections as failures, so it would disconnect the stage because of high demand.
 */
final class HystrixPool implements LimitedStage {
    private static final int SIZE = 100;
    /** Hystrix keeps state per command name for the whole JVM: each instance gets a unique name. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Service<Long, Long> stage;
    private final HystrixCommand.Setter settings;

    HystrixPool(Service<Long, Long> stage) {
        String name = "overload-" + MADE.incrementAndGet();
        this.stage = stage;
        this.settings = HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(name))
                .andCommandKey(HystrixCommandKey.Factory.asKey(name))
                .andCommandPropertiesDefaults(HystrixCommandProperties.Setter()
                        .withExecutionTimeoutInMilliseconds((int) OverloadCourse.USEFUL_WITHIN.toMillis())
                        .withCircuitBreakerEnabled(false)
                        .withFallbackEnabled(false))
                .andThreadPoolPropertiesDefaults(HystrixThreadPoolProperties.Setter()
                        .withCoreSize(SIZE)
                        .withMaxQueueSize(SIZE)
                        .withQueueSizeRejectionThreshold(SIZE));
    }

    @Override
    public void take(Long request, Reply<? super Long> reply) {
        new Command(settings, stage, request)
                .toObservable()
                .subscribe(reply::answered, thrown -> reply.threw(ending(thrown)));
    }

    @Override
    public Long call(Long request) throws Exception {
        try {
            return new Command(settings, stage, request).execute();
        } catch (HystrixRuntimeException e) {
            throw ending(e);
        }
    }

    @Override
    public OptionalInt permits() {
        return OptionalInt.of(SIZE);
    }

    /** Its pools are daemon threads and stay with the JVM. */
    @Override
    public void close() {}

    private static Unanswered ending(Throwable thrown) {
        if (thrown instanceof HystrixRuntimeException hystrix) {
            switch (hystrix.getFailureType()) {
                case REJECTED_THREAD_EXECUTION, REJECTED_SEMAPHORE_EXECUTION -> {
                    return new Rejected(Rejected.Cause.LIMIT, "the pool and its queue are full");
                }
                case TIMEOUT -> {
                    return new Unknown(Unknown.Cause.TIMEOUT, "no answer in 1 s");
                }
                default -> {}
            }
        }
        return new Unknown(Unknown.Cause.ERROR, String.valueOf(thrown.getMessage()), thrown);
    }

    private static final class Command extends HystrixCommand<Long> {
        private final Service<Long, Long> stage;
        private final Long request;

        Command(Setter settings, Service<Long, Long> stage, Long request) {
            super(settings);
            this.stage = stage;
            this.request = request;
        }

        @Override
        protected Long run() throws Exception {
            return stage.call(request);
        }
    }
}
