package dev.penstock.races.overload;

import dev.penstock.Rejected;
import dev.penstock.Service;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The stage on a pool of platform threads with a queue. The pool accepts or rejects a request at the hand-over, and
 * the working thread reports the answer. A rejection creates no exception in the pool, because its handler is
 * called instead.
 */
final class PlatformThreads implements LimitedStage {
    private static final long STACK_BYTES = 256 * 1024;

    private final Service<Long, Long> stage;
    private final ThreadPoolExecutor pool;

    PlatformThreads(Service<Long, Long> stage, int threads, BlockingQueue<Runnable> queue) {
        this.stage = stage;
        this.pool = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.NANOSECONDS,
                queue,
                Thread.ofPlatform()
                        .daemon()
                        .name("handler-", 0)
                        .stackSize(STACK_BYTES)
                        .factory(),
                (task, _) -> ((Task) task).reject());
    }

    @Override
    public void take(Long request, Reply<? super Long> reply) {
        pool.execute(new Task(stage, request, reply));
    }

    @Override
    public Long call(Long request) throws Exception {
        Waiting reply = new Waiting(new CompletableFuture<>());
        take(request, reply);
        return reply.await();
    }

    @Override
    public OptionalInt permits() {
        return OptionalInt.of(pool.getMaximumPoolSize());
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    private record Task(Service<Long, Long> stage, Long request, Reply<? super Long> reply) implements Runnable {
        @Override
        public void run() {
            LimitedStage.callAndReply(stage, request, reply);
        }

        void reject() {
            reply.threw(new Rejected(Rejected.Cause.LIMIT, "all threads are in use, and the queue is full"));
        }
    }

    /** A user who waits for the pool. */
    private record Waiting(CompletableFuture<Long> answer) implements Reply<Long> {
        @Override
        public void answered(Long value) {
            answer.complete(value);
        }

        @Override
        public void threw(Throwable thrown) {
            answer.completeExceptionally(thrown);
        }

        Long await() throws Exception {
            try {
                return answer.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }
}
