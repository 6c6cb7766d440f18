package dev.penstock.http;

import dev.penstock.Unknown;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Calls on threads of their own. */
public final class Calls {
    private static final long LOOK_NANOS = 50_000;

    private Calls() {}

    /** Waits until something is so; a test's timeout ends that. */
    public static void until(BooleanSupplier isSo) {
        while (!isSo.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("it did not become so in time");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Waits until a count of {@link HttpTarget#connections} is that. */
    static void until(HttpTarget target, String name, long count) {
        until(() -> target.connections().getOrDefault(name, 0L) == count);
    }

    static CompletableFuture<HttpAnswer> inThread(HttpCall call, HttpTarget target) {
        CompletableFuture<HttpAnswer> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(target.call(call));
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** What a call throws on a thread of its own, once that thread has been seen to be still interrupted if it was. */
    static CompletableFuture<Throwable> interruptible(
            HttpCall call, HttpTarget target, CompletableFuture<Thread> thread) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            thread.complete(Thread.currentThread());
            try {
                target.call(call);
                thrown.complete(new AssertionError("answered"));
            } catch (Unknown e) {
                boolean flagMatches = (e.why() == Unknown.Cause.INTERRUPTED)
                        == Thread.currentThread().isInterrupted();
                thrown.complete(flagMatches ? e : new AssertionError("the interrupt was lost"));
            } catch (Exception e) {
                thrown.complete(
                        Thread.currentThread().isInterrupted() ? e : new AssertionError("the interrupt was lost"));
            }
        });
        return thrown;
    }
}
