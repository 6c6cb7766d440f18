package dev.penstock.collapse;

import dev.penstock.BatchEndings;
import dev.penstock.CallContext;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Seals a batch that has its permit and sends it to the target. Sealing this late lets the batch grow while it waits for
 * its permit.
 *
 * @param target answers lists of requests
 * @param callTime records the call times
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
            // Not an empty answer: stages outside would take it for an answer of the target.
            throw new Rejected(Rejected.Cause.QUEUE, "all callers of the batch have given up, so it was not sent");
        }
        callContext.allow(sealed.longestLeft(sentAt));
        Observation observation = observe(sealed, callContext, sentAt);
        Unanswered ending = null;
        boolean answered = false;
        try {
            BatchEndings<R> endings = target.call(sealed.requests());
            if (endings.size() != sealed.size()) {
                throw new Unknown(
                        Unknown.Cause.GARBLED,
                        "a batch of %d requests got %d answers, so they cannot be matched"
                                .formatted(sealed.size(), endings.size()));
            }
            answered = true;
            return endings;
        } catch (Unanswered unanswered) {
            ending = unanswered;
            throw unanswered;
        } finally {
            if (observation != null) {
                observation.ended(null, ending, callContext.now());
            }
            if (answered) {
                callTime.sample(callContext.now() - sentAt);
            }
            batcher.returned(batch, callContext.now(), answered);
        }
    }

    private @Nullable Observation observe(SealedBatch<Q, R> sealed, CallContext callContext, long now) {
        List<Observation> all = sealed.observations();
        Observation observation = all.isEmpty() ? null : all.getFirst().batch(all, sealed.size(), now);
        callContext.observe(observation);
        return observation;
    }
}
