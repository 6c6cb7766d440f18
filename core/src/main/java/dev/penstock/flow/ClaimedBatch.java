package dev.penstock.flow;

import dev.penstock.Ending;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.dedupe.DedupeFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends those of a batch whose keys are claimed; the others are left out.
 *
 * @param target takes what is left
 */
record ClaimedBatch<Q, R>(DedupeFilter dedupe, Service<List<Q>, BatchEndings<R>> target)
        implements Service<List<Q>, BatchEndings<R>> {
    @Override
    public BatchEndings<R> call(List<Q> requests) throws Exception {
        @Nullable Unanswered[] refused = dedupe.claim(requests);
        List<Q> granted = new ArrayList<>(requests.size());
        for (int place = 0; place < refused.length; place++) {
            if (refused[place] == null) {
                granted.add(requests.get(place));
            }
        }
        if (granted.size() == requests.size()) {
            return target.call(requests);
        }
        if (granted.isEmpty()) {
            // No repeat inside of the flow: each caller's own claim says why.
            throw new Rejected(Rejected.Cause.DEADLINE, "no key of the batch was claimed, so it was not sent");
        }
        return spread(target.call(List.copyOf(granted)), refused);
    }

    private static <R> BatchEndings<R> spread(BatchEndings<R> endings, @Nullable Unanswered[] refused) throws Unanswered {
        BatchEndings.Builder<R> all = BatchEndings.ofSize(refused.length);
        int next = 0;
        for (int place = 0; place < refused.length; place++) {
            Unanswered none = refused[place];
            if (none == null && next < endings.size()) {
                Ending ending = endings.get(next);
                none = ending instanceof Unanswered unanswered ? unanswered : null;
                if (none == null) {
                    all.answered(place, endings.answer(next));
                }
                next++;
            }
            if (none != null) {
                all.ended(place, none);
            }
        }
        return all.build();
    }

    @Override
    public boolean honorsDeadline() {
        return target.honorsDeadline();
    }
}
