package dev.penstock.flow;

import dev.penstock.BatchEndings;
import dev.penstock.Ending;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.dedupe.DedupeFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends only the requests of a batch whose keys could be claimed; the others get the ending of their claim.
 *
 * @param target receives the remaining batch
 */
record ClaimedBatch<Q, R>(DedupeFilter<Q, R> dedupe, Service<List<Q>, BatchEndings<R>> target)
        implements Service<List<Q>, BatchEndings<R>> {
    @Override
    public BatchEndings<R> call(List<Q> requests) throws Exception {
        @Nullable Unanswered[] refused = dedupe.claim(requests);
        List<Q> granted = new ArrayList<>(requests.size());
        for (int index = 0; index < refused.length; index++) {
            if (refused[index] == null) {
                granted.add(requests.get(index));
            }
        }
        if (granted.size() == requests.size()) {
            return target.call(requests);
        }
        if (granted.isEmpty()) {
            // Cause deadline, so that the flow does not retry: each caller gets the reason from its own claim.
            throw new Rejected(Rejected.Cause.DEADLINE, "no key of the batch was claimed, so it was not sent");
        }
        return spread(target.call(List.copyOf(granted)), refused);
    }

    private static <R> BatchEndings<R> spread(BatchEndings<R> endings, @Nullable Unanswered[] refused)
            throws Unanswered {
        BatchEndings.Builder<R> all = BatchEndings.ofSize(refused.length);
        int next = 0;
        for (int index = 0; index < refused.length; index++) {
            Unanswered none = refused[index];
            if (none == null && next < endings.size()) {
                Ending ending = endings.get(next);
                none = ending instanceof Unanswered unanswered ? unanswered : null;
                if (none == null) {
                    all.answered(index, endings.answer(next));
                }
                next++;
            }
            if (none != null) {
                all.ended(index, none);
            }
        }
        return all.build();
    }

    @Override
    public boolean honorsDeadline() {
        return target.honorsDeadline();
    }
}
