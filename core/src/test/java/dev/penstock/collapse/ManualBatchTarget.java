package dev.penstock.collapse;

import dev.penstock.Deadline;
import dev.penstock.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A target that takes batches, and answers each when it is told to, or all at once from some moment on.
 *
 * <p>Safe for many threads.
 *
 * @param <A> what it answers a batch by
 */
final class ManualBatchTarget<A> implements Service<List<String>, A> {
    private static final long PATIENCE_SECONDS = 60;

    /** A batch that waits for its answer. */
    record Call<A>(
            List<String> requests,
            @Nullable Duration left,
            Service<List<String>, A> usual,
            CompletableFuture<Service<List<String>, A>> how) {
        /** Answers it as usual. */
        void answer() {
            how.complete(usual);
        }

        /** Answers it in some other way. */
        void answer(A answer) {
            how.complete(requests -> answer);
        }

        void fail(Exception ending) {
            how.complete(requests -> {
                throw ending;
            });
        }
    }

    private final Service<List<String>, A> usual;
    private final List<List<String>> seen = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Call<A>> held = new LinkedBlockingQueue<>();
    private final List<Call<A>> all = new ArrayList<>();
    private boolean holds = true;

    private ManualBatchTarget(Service<List<String>, A> usual) {
        this.usual = usual;
    }

    /** A batchTarget that holds every batch. */
    static <A> ManualBatchTarget<A> which(Service<List<String>, A> usual) {
        return new ManualBatchTarget<>(usual);
    }

    /** One that answers each request by itself and an exclamation mark. */
    static ManualBatchTarget<List<String>> ofAnswers() {
        return which(usual());
    }

    /** Answers each request by itself and an exclamation mark. */
    static Service<List<String>, List<String>> usual() {
        return requests -> requests.stream().map(request -> request + "!").toList();
    }

    @Override
    public A call(List<String> requests) throws Exception {
        Deadline deadline = Deadline.current();
        Duration left = deadline == null ? null : deadline.left();
        Call<A> call = new Call<>(List.copyOf(requests), left, usual, new CompletableFuture<>());
        seen.add(call.requests());
        take(call);
        return call.how().get().call(requests);
    }

    private synchronized void take(Call<A> call) {
        if (holds) {
            all.add(call);
            held.add(call);
        } else {
            call.answer();
        }
    }

    /** The next batch that waits for its answer. */
    Call<A> next() throws InterruptedException {
        Call<A> call = held.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("no batch came; so far: " + seen);
        }
        return call;
    }

    /** Holds no batch any more. */
    synchronized void open() {
        holds = false;
        all.forEach(Call::answer);
    }

    /** The requests of every batch so far, in the order of their coming. */
    List<List<String>> seen() {
        return List.copyOf(seen);
    }
}
