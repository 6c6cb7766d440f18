package dev.penstock.flow;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.dedupe.UnknownResolver;
import dev.penstock.retry.RetryFilter;
import dev.penstock.retry.Settler;
import org.jspecify.annotations.Nullable;

/**
 * What the flow's own retry and settling can do about a key that is in doubt when it comes again. As within one transaction, what
 * may be sent again is sent, and the status probe is asked only about what may not.
 */
record FlowUnknownResolver<Q, R>(
        @Nullable RetryFilter retry, @Nullable Settler<Q, R> settler) implements UnknownResolver<Q, R> {
    @Override
    public boolean maySendAgain(Q request) {
        return retry != null && retry.retry().isIdempotent(request);
    }

    @Override
    public boolean canAsk(Q request) {
        return settler != null && settler.canAskOf(request);
    }

    @Override
    public R ask(Q request, Unknown doubt) throws Failed, Unknown {
        if (settler == null) {
            throw doubt;
        }
        return settler.settle(request, doubt, CallContext.required());
    }
}
