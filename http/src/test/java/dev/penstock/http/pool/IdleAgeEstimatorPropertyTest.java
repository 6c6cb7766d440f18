package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class IdleAgeEstimatorPropertyTest {
    private static final long SECOND = 1_000_000_000L;

    enum Kind {
        CLOSED,
        ANSWERED,
        DIED
    }

    record Event(Kind kind, long age, long later) {
        void tell(IdleAgeEstimator ages, long at) {
            switch (kind) {
                case CLOSED -> ages.closed(age, at);
                case ANSWERED -> ages.answered(age);
                case DIED -> ages.died(age);
            }
        }
    }

    @Provide
    Arbitrary<List<Event>> events() {
        Arbitrary<Long> ages = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 2 * IdleAgeEstimator.MIN_AGE),
                Arbitraries.longs().between(0, 100 * SECOND),
                Arbitraries.of(0L, IdleAgeEstimator.MIN_AGE, 5 * SECOND, 3_600 * SECOND));
        return Combinators.combine(
                        Arbitraries.of(Kind.values()), ages, Arbitraries.longs().between(0, SECOND))
                .as(Event::new)
                .list()
                .ofMaxSize(60);
    }

    @Property
    void whatIsLearnedIsNeverTooShortAndOnlyGetsShorter(@ForAll("events") List<Event> events, @ForAll long start) {
        IdleAgeEstimator ages = new IdleAgeEstimator();
        long at = start;
        long before = Long.MAX_VALUE;
        for (Event event : events) {
            at += event.later;
            event.tell(ages, at);
            assertThat(ages.retireAt()).isBetween(IdleAgeEstimator.MIN_AGE, before);
            assertThat(ages.reason()).isNotBlank();
            before = ages.retireAt();
        }
    }

    @Property
    void itDoesNotMatterWhereTheClockBegan(@ForAll("events") List<Event> events, @ForAll long start) {
        IdleAgeEstimator early = new IdleAgeEstimator();
        IdleAgeEstimator late = new IdleAgeEstimator();
        long passed = 0;
        for (Event event : events) {
            passed += event.later;
            event.tell(early, passed);
            event.tell(late, start + passed);
        }
        assertThat(late.retireAt()).isEqualTo(early.retireAt());
        assertThat(late.reason()).isEqualTo(early.reason());
    }

    @Property
    void aTimeoutSeenThreeTimesIsKeptClearOf(
            @ForAll @LongRange(min = 400_000_000L, max = 3_600_000_000_000L) long timeout,
            @ForAll @LongRange(min = 0, max = 40_000_000L) long late) {
        IdleAgeEstimator ages = new IdleAgeEstimator();
        for (int i = 0; i < 3; i++) {
            ages.closed(timeout + i * late / 2, i * SECOND);
        }
        assertThat(ages.retireAt()).isBetween(timeout / 2, timeout - 100_000_000L);
    }
}
