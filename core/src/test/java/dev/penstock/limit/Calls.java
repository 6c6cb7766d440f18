package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.kit.ManualTicker;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Calls a stage as a flow does, under a transit. */
record Calls(Ticker ticker, Service<Object, Object> service) {
    String call(Object request) throws Exception {
        return call(request, null);
    }

    String call(Object request, @Nullable Reservation place) throws Exception {
        CallContext callContext = place == null ? CallContext.begin(ticker) : CallContext.begin(ticker, place);
        try {
            return service.call(request).toString();
        } finally {
            callContext.end();
        }
    }

    /** A wait for a permit whose thread is interrupted meanwhile, and stays so. */
    static Future<Permit> interruptedWait(Limit limit, ManualTicker ticker) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Boolean> stillInterrupted = new CompletableFuture<>();
        Future<Permit> waits = inBackground(() -> {
            thread.complete(Thread.currentThread());
            try {
                return Permit.of(limit);
            } finally {
                stillInterrupted.complete(Thread.currentThread().isInterrupted());
            }
        });
        ticker.awaitParked(1);
        thread.get().interrupt();
        assertThat(stillInterrupted.get()).isTrue();
        return waits;
    }

    static <T> Future<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }
}
