package dev.penstock.races.collapse;

import com.netflix.hystrix.HystrixCollapser;
import com.netflix.hystrix.HystrixCollapser.CollapsedRequest;
import com.netflix.hystrix.HystrixCollapserKey;
import com.netflix.hystrix.HystrixCollapserProperties;
import com.netflix.hystrix.HystrixCommand;
import com.netflix.hystrix.HystrixCommandGroupKey;
import com.netflix.hystrix.HystrixCommandKey;
import com.netflix.hystrix.HystrixCommandProperties;
import com.netflix.hystrix.HystrixThreadPoolProperties;
import com.netflix.hystrix.exception.HystrixRuntimeException;
import com.netflix.hystrix.util.HystrixTimer;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hystrix's collapser in its global scope, which collapses the requests of all callers, with a batch command on a thread pool.
 * The pool has a thread for each batch that can be out: 50 at a timer of 10 ms and calls of 500 ms. What else costs and does
 * nothing here is off: request cache, request log, timeout, breaker, fallback.
 */
final class HystrixBatcher implements Batcher {
    private static final int POOL = 128;
    /** Hystrix keeps what it knows of a collapser by its name, for the whole JVM: each one made gets a name of its own. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final SimulatedApi api;
    private final HystrixCollapser.Setter collapser;
    private final HystrixCommand.Setter command;

    /**
     * A collapser.
     *
     * @param timer how often it sends what waits
     */
    HystrixBatcher(SimulatedApi api, Duration timer) {
        String name = "collapse-" + MADE.incrementAndGet();
        this.api = api;
        this.collapser = HystrixCollapser.Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey(name))
                .andScope(HystrixCollapser.Scope.GLOBAL)
                .andCollapserPropertiesDefaults(HystrixCollapserProperties.Setter()
                        .withTimerDelayInMilliseconds((int) timer.toMillis())
                        .withMaxRequestsInBatch(Contestants.MOST_IN_A_BATCH)
                        .withRequestCacheEnabled(false));
        this.command = HystrixCommand.Setter.withGroupKey(HystrixCommandGroupKey.Factory.asKey(name))
                .andCommandKey(HystrixCommandKey.Factory.asKey(name))
                .andCommandPropertiesDefaults(HystrixCommandProperties.Setter()
                        .withExecutionTimeoutEnabled(false)
                        .withCircuitBreakerEnabled(false)
                        .withFallbackEnabled(false)
                        .withRequestCacheEnabled(false)
                        .withRequestLogEnabled(false))
                .andThreadPoolPropertiesDefaults(
                        HystrixThreadPoolProperties.Setter().withCoreSize(POOL));
    }

    @Override
    public Long call(Long item) throws Exception {
        try {
            return new Request(this, item).execute();
        } catch (HystrixRuntimeException e) {
            throw new Unknown(Unknown.Cause.ERROR, String.valueOf(e.getMessage()), e);
        }
    }

    /** Stops the timer of this and any other collapser in the JVM; pools are daemons and stay. */
    @Override
    public void close() {
        HystrixTimer.reset();
    }

    private static final class Request extends HystrixCollapser<List<Long>, Long, Long> {
        private final HystrixBatcher batcher;
        private final Long item;

        Request(HystrixBatcher batcher, Long item) {
            super(batcher.collapser);
            this.batcher = batcher;
            this.item = item;
        }

        @Override
        public Long getRequestArgument() {
            return item;
        }

        @Override
        protected HystrixCommand<List<Long>> createCommand(Collection<CollapsedRequest<Long, Long>> requests) {
            List<Long> items = new ArrayList<>(requests.size());
            requests.forEach(request -> items.add(request.getArgument()));
            return new Batch(batcher, items);
        }

        @Override
        protected void mapResponseToRequests(List<Long> answers, Collection<CollapsedRequest<Long, Long>> requests) {
            Iterator<Long> next = answers.iterator();
            requests.forEach(request -> request.setResponse(next.next()));
        }
    }

    private static final class Batch extends HystrixCommand<List<Long>> {
        private final SimulatedApi api;
        private final List<Long> items;

        Batch(HystrixBatcher batcher, List<Long> items) {
            super(batcher.command);
            this.api = batcher.api;
            this.items = items;
        }

        @Override
        protected List<Long> run() throws Exception {
            return api.ask(items);
        }
    }
}
