package dev.penstock.flow;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Retry;
import dev.penstock.Unknown;
import dev.penstock.dedupe.UnknownResolver;
import dev.penstock.retry.SettleFilter;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a key with an unknown outcome when its request arrives again, by the flow's own retry and status probe. As within
 * one transaction, a request that is safe to send again is sent; otherwise the status probe is called.
 */
record FlowUnknownResolver<Q, R>(
        @Nullable Retry<? super Q> retry, @Nullable SettleFilter<Q, R> settle) implements UnknownResolver<Q, R> {
    @Override
    public boolean maySendAgain(Q request) {
        return retry != null && retry.isIdempotent(request);
    }

    @Override
    public boolean canAsk(Q request) {
        return settle != null && settle.canAskOf(request);
    }

    @Override
    public R ask(Q request, Unknown unknown) throws Failed, Unknown {
        if (settle == null) {
            throw unknown;
        }
        return settle.settle(request, unknown, CallContext.required());
    }
}
