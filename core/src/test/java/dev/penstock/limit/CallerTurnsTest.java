package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;
import org.junit.jupiter.api.Test;

class CallerTurnsTest {
    private CallerTurns<Request> turns = new CallerTurns<>();
    private int arrived;

    @BeforeTry
    void begin() {
        turns = new CallerTurns<>();
        arrived = 0;
    }

    private static final class Request extends UrgencyQueue.Entry {
        Request(long arrival, Object caller) {
            super(arrival, QueuePolicy.NO_DEADLINE, 3, caller);
        }
    }

    private Request add(Object caller, int count) {
        Request last = new Request(0, caller);
        for (int i = 0; i < count; i++) {
            last = new Request(arrived++, caller);
            turns.add(last);
        }
        return last;
    }

    private Request next() {
        return Objects.requireNonNull(turns.next(late -> false, dropped -> {}));
    }

    /** The number of requests that are served before this one. */
    private int servedBefore(Request one) {
        int before = 0;
        while (next() != one) {
            before++;
        }
        return before;
    }

    @Test
    void oneWithManyRequestsDelaysTheSecondOfAnotherByTwoOfThem() {
        add("many", 1_000);
        for (int i = 0; i < 8; i++) {
            add("few" + i, 1);
        }
        add("own", 1);
        // Ten callers with two turns each would be 20.
        assertThat(turns.ahead("own")).isEqualTo(8 + 1 + 2);
        assertThat(servedBefore(add("own", 1))).isBetween(10, 11);
    }

    @Test
    void whoHasMostWaitsForAllOthersAndForItsOwn() {
        add("own", 100);
        add("some", 5);
        add("few", 1);
        assertThat(turns.ahead("own")).isEqualTo(106);
        assertThat(turns.ahead("some")).isEqualTo(6 + 5 + 1);
        assertThat(turns.ahead("new")).isEqualTo(3);
    }

    @Test
    void theEstimateFollowsThoseThatLeave() {
        Request left = add("own", 1);
        add("many", 50);
        assertThat(turns.remove(left)).isTrue();
        assertThat(turns.ahead("own")).isEqualTo(1);
        while (turns.size() > 0) {
            next();
        }
        assertThat(turns.ahead("many")).isZero();
    }

    @Property
    void theEstimateIsWhatIsServedBeforeOrOneMoreForEachCaller(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 30) Integer> counts,
            @ForAll @IntRange(max = 60) int served) {
        for (int i = 0; i < counts.size(); i++) {
            add(i, counts.get(i));
        }
        for (int i = 0; i < Math.min(served, arrived - 1); i++) {
            next();
        }
        int estimate = turns.ahead(0);
        int actual = servedBefore(add(0, 1));
        assertThat(estimate).isBetween(actual, actual + counts.size());
    }

    @Property
    void theEstimateIsNeverTooLowWithManyRequestsOfSeveral(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 200) Integer> counts) {
        for (int i = 0; i < counts.size(); i++) {
            add(i, counts.get(i));
        }
        int estimate = turns.ahead(0);
        assertThat(estimate).isBetween(servedBefore(add(0, 1)), arrived);
    }

    @Property
    void theLastIsOneOfACallerWithTheMost(
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 40) Integer> counts,
            @ForAll @IntRange(max = 100) int served) {
        List<Request> all = new ArrayList<>();
        for (int i = 0; i < counts.size(); i++) {
            for (int j = 0; j < counts.get(i); j++) {
                all.add(add(i, 1));
            }
        }
        for (int i = 0; i < Math.min(served, arrived - 1); i++) {
            all.remove(next());
        }
        Request last = turns.last();
        int most = all.stream()
                .mapToInt(request -> turns.waiting(request.caller))
                .max()
                .orElseThrow();
        assertThat(turns.waiting(last.caller)).isEqualTo(most);
        assertThat(all.stream()
                        .filter(request -> request.caller.equals(last.caller))
                        .max(Comparator.comparingLong(request -> request.arrival)))
                .contains(last);
    }
}
