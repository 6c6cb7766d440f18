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
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hystrix's collapser in global scope, which collapses the requests of all callers, with a batch command on a thread
 * pool. The pool has one thread per concurrent batch. Everything else that costs time without effect here is off:
 * request cache, request log, timeout, breaker, fallback. Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class HystrixBatcher<Q, R> implements Service<Q, R>, AutoCloseable {
    /** Hystrix keeps state per collapser name for the whole JVM: each instance gets a unique name. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Service<List<Q>, List<R>> batch;
    private final HystrixCollapser.Setter collapser;
    private final HystrixCommand.Setter command;

    /**
     * A collapser.
     *
     * @param batch answers requests in batches, in their order
     * @param timer the dispatch interval
     * @param most maximum batch size
     * @param pool maximum number of concurrent batches
     */
    public HystrixBatcher(Service<List<Q>, List<R>> batch, Duration timer, int most, int pool) {
        String name = "collapse-" + MADE.incrementAndGet();
        this.batch = batch;
        this.collapser = HystrixCollapser.Setter.withCollapserKey(HystrixCollapserKey.Factory.asKey(name))
                .andScope(HystrixCollapser.Scope.GLOBAL)
                .andCollapserPropertiesDefaults(HystrixCollapserProperties.Setter()
                        .withTimerDelayInMilliseconds((int) timer.toMillis())
                        .withMaxRequestsInBatch(most)
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
                        HystrixThreadPoolProperties.Setter().withCoreSize(pool));
    }

    @Override
    public R call(Q item) throws Exception {
        try {
            return new Request<>(this, item).execute();
        } catch (HystrixRuntimeException e) {
            if (e.getCause() instanceof Unanswered ending) {
                throw ending;
            }
            throw new Unknown(Unknown.Cause.ERROR, String.valueOf(e.getMessage()), e);
        }
    }

    /** Stops the timer of all collapsers in the JVM; pools are daemon threads and stay. */
    @Override
    public void close() {
        HystrixTimer.reset();
    }

    private static final class Request<Q, R> extends HystrixCollapser<List<R>, R, Q> {
        private final HystrixBatcher<Q, R> batcher;
        private final Q item;

        Request(HystrixBatcher<Q, R> batcher, Q item) {
            super(batcher.collapser);
            this.batcher = batcher;
            this.item = item;
        }

        @Override
        public Q getRequestArgument() {
            return item;
        }

        @Override
        protected HystrixCommand<List<R>> createCommand(Collection<CollapsedRequest<R, Q>> requests) {
            List<Q> items = new ArrayList<>(requests.size());
            requests.forEach(request -> items.add(request.getArgument()));
            return new Batch<>(batcher, items);
        }

        @Override
        protected void mapResponseToRequests(List<R> answers, Collection<CollapsedRequest<R, Q>> requests) {
            Iterator<R> next = answers.iterator();
            requests.forEach(request -> request.setResponse(next.next()));
        }
    }

    private static final class Batch<Q, R> extends HystrixCommand<List<R>> {
        private final Service<List<Q>, List<R>> batch;
        private final List<Q> items;

        Batch(HystrixBatcher<Q, R> batcher, List<Q> items) {
            super(batcher.command);
            this.batch = batcher.batch;
            this.items = items;
        }

        @Override
        protected List<R> run() throws Exception {
            return batch.call(items);
        }
    }
}
