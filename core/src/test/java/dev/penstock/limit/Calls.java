package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Service;
import dev.penstock.Ticker;
import java.util.concurrent.Callable;
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

    static <T> Future<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }
}
