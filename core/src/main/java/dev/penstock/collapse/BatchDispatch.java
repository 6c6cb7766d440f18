package dev.penstock.collapse;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.CallContext;
import dev.penstock.Unknown;
import java.util.List;

/**
 * Where a batch, with its permit, goes to the target: here it is sealed, so that until now it could grow.
 *
 * @param target answers lists of requests
 * @param callTime learns how long that takes
 */
record BatchDispatch<Q, R>(Service<List<Q>, BatchEndings<R>> target, CallTime callTime)
        implements Service<Batch<Q, R>, BatchEndings<R>> {
    @Override
    public BatchEndings<R> call(Batch<Q, R> batch) throws Exception {
        CallContext callContext = CallContext.required();
        Batcher<Q, R> batcher = batch.batcher();
        long sentAt = callContext.tick();
        SealedBatch<Q, R> sealed = batcher.seal(batch, sentAt);
        if (sealed.size() == 0) {
            // No answer: who goes by those would take it for one of the target's.
            throw new Rejected(Rejected.Cause.QUEUE, "all who were in the batch have left, so it was not sent");
        }
        callContext.allow(sealed.longestLeft(sentAt));
        boolean answered = false;
        try {
            BatchEndings<R> endings = target.call(sealed.requests());
            if (endings.size() != sealed.size()) {
                throw new Unknown(
                        Unknown.Cause.GARBLED,
                        "a batch of %d was answered by %d, so nobody can tell whose is whose"
                                .formatted(sealed.size(), endings.size()));
            }
            answered = true;
            return endings;
        } finally {
            if (answered) {
                callTime.sample(callContext.now() - sentAt);
            }
            batcher.back(batch, callContext.now(), answered);
        }
    }
}
