package dev.penstock.http;

import dev.penstock.Unknown;
import java.util.concurrent.CompletableFuture;

/** Calls on threads of their own. */
final class Calls {
    private Calls() {}

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
