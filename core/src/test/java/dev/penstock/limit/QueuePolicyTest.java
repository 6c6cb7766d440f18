package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected.Cause;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class QueuePolicyTest {
    private static final long MS = 1_000_000;
    private static final long NONE = QueuePolicy.NO_DEADLINE;

    @Test
    void whileNothingIsKnownTheBoundsAreFixed() {
        QueuePolicy rules = QueuePolicy.of(QueueSettings.automatic());
        assertThat(rules.maxWaitNanos(1_000 * MS)).isEqualTo(500 * MS);
        assertThat(rules.maxAhead(10, rules.queueNanos(), false)).isEqualTo(1_024);
        assertThat(rules.rejects(0, 10, 1, false)).isNull();
        assertThat(rules.waitNanos(100, 10)).isZero();
        assertThat(rules.isTooLate(0, 5)).isFalse();
        assertThat(rules.timeBound().reason()).contains("until call times have been measured");
    }

    @Test
    void withoutADeadlineARequestWaitsASecond() {
        assertThat(measured(1).maxWaitNanos(NONE)).isEqualTo(1_000 * MS);
        assertThat(measured(5_000).maxWaitNanos(NONE)).isEqualTo(1_000 * MS);
        assertThat(measured(100).timeBound().value()).isEqualTo("1 s");
        assertThat(measured(100).timeBound().reason()).isEqualTo("with a deadline, until 130 ms are left");
    }

    @Test
    void withADeadlineItWaitsAsLongAsAnAnswerCanStillCome() {
        assertThat(measured(100).maxWaitNanos(1_000 * MS)).isEqualTo(870 * MS);
        assertThat(measured(100).maxWaitNanos(100 * MS)).isNegative();
        assertThat(measured(100).causeOfTimeout(1_000 * MS)).isEqualTo(Cause.DEADLINE);
        assertThat(measured(100).causeOfTimeout(NONE)).isEqualTo(Cause.QUEUE);
    }

    /** The first calls of a cold process take long, and say little about how many can be served in a minute. */
    @Test
    void aLengthThatIsPinnedWithATimeIsObeyedWhateverIsMeasured() {
        QueueSettings both = QueueSettings.automatic().withLength(50_000).withTime(Duration.ofSeconds(60));
        QueuePolicy rules = pinned(both, 150);
        assertThat(rules.maxAhead(100, rules.maxWaitNanos(NONE), false)).isEqualTo(50_000);
        assertThat(rules.maxAhead(100, rules.maxWaitNanos(NONE), true)).isEqualTo(50_000);
        assertThat(rules.rejects(49_999, 100, NONE, true)).isNull();
        assertThat(rules.rejects(50_000, 100, NONE, true)).isEqualTo(Cause.LIMIT);
        assertThat(rules.rejects(49_999, 100, 10_000 * MS, true))
                .as("a deadline comes first")
                .isEqualTo(Cause.LIMIT);
    }

    @Test
    void aPinnedTimeIsObeyedUnlessTheDeadlineComesFirst() {
        QueuePolicy rules = pinned(QueueSettings.automatic().withTime(Duration.ofMillis(300)), 100);
        assertThat(rules.maxWaitNanos(NONE)).isEqualTo(300 * MS);
        assertThat(rules.maxWaitNanos(1_000 * MS)).isEqualTo(300 * MS);
        assertThat(rules.maxWaitNanos(400 * MS)).isEqualTo(270 * MS);
        assertThat(rules.causeOfTimeout(1_000 * MS)).isEqualTo(Cause.QUEUE);
        assertThat(rules.causeOfTimeout(400 * MS)).isEqualTo(Cause.DEADLINE);
    }

    @Test
    void theLineIsAsLongAsCanBeServedInTime() {
        // 50 permits held 100 ms: 500 come free each second, 100 in 200 ms.
        assertThat(measured(100).maxAhead(50, 200 * MS, false)).isEqualTo(100);
        assertThat(measured(100).maxAhead(1, 10 * MS, false)).isEqualTo(1);
        assertThat(measured(1).maxAhead(100_000, 1_000 * MS, false)).isEqualTo(10_000);
        assertThat(measured(100).waitNanos(50, 50)).isEqualTo(100 * MS);
    }

    @Test
    void underStandingOverloadItIsAsLongAsFreedPermitsNeed() {
        // 500 a second come free: 50 in two hiccups of 50 ms.
        assertThat(measured(100).maxAhead(50, 1_000 * MS, true)).isEqualTo(50);
        // Few and slow: what spreads is more than what comes free in a hiccup.
        assertThat(measured(1_000).maxAhead(16, 1_000 * MS, true)).isEqualTo(12);
        // Never longer than the time allows.
        assertThat(measured(1_000).maxAhead(1, 1_000 * MS, true)).isEqualTo(1);
        assertThat(measured(100).lengthBound(50, true).reason())
                .startsWith("standing overload: just enough to keep 50 permits busy");
    }

    @Test
    void aPinnedLengthIsObeyedUnderStandingOverloadToo() {
        QueuePolicy rules = pinned(QueueSettings.automatic().withLength(300), 100);
        assertThat(rules.maxAhead(50, 1_000 * MS, true)).isEqualTo(300);
        assertThat(rules.maxAhead(50, 100 * MS, true)).isEqualTo(50);
        assertThat(pinned(QueueSettings.automatic().withLength(0), 100).maxAhead(50, 100 * MS, false))
                .isZero();
    }

    @Test
    void overloadStandsOnceTheLineWasNotEmptyForTwiceTheTimeOfACall() {
        assertThat(measured(200).isStanding(399 * MS)).isFalse();
        assertThat(measured(200).isStanding(400 * MS)).isTrue();
        assertThat(measured(1).isStanding(99 * MS)).isFalse();
        assertThat(measured(1).isStanding(100 * MS)).isTrue();
        assertThat(measured(60_000).isStanding(1_999 * MS)).isFalse();
        assertThat(measured(60_000).isStanding(2_000 * MS)).isTrue();
    }

    @Test
    void whoCannotMakeItIsToldSoAndWhoHasNoRoomToo() {
        assertThat(measured(100).rejects(0, 50, 129 * MS, false)).isEqualTo(Cause.DEADLINE);
        assertThat(measured(100).rejects(0, 50, 131 * MS, false)).isNull();
        assertThat(measured(100).rejects(500, 50, NONE, false)).isEqualTo(Cause.LIMIT);
        assertThat(measured(100).rejects(499, 50, NONE, false)).isNull();
    }

    @Test
    void aFreePermitIsNotGivenToWhoHasNoTimeUnlessTheTargetHasMuchLessToDo() {
        QueuePolicy rules = new QueuePolicy(QueueSettings.automatic(), 100 * MS, 100 * MS, 40);
        assertThat(rules.isTooLate(99 * MS, 40)).isTrue();
        assertThat(rules.isTooLate(99 * MS, 20)).isTrue();
        assertThat(rules.isTooLate(99 * MS, 19)).isFalse();
        assertThat(rules.isTooLate(99 * MS, 0)).isFalse();
        assertThat(rules.isTooLate(100 * MS, 40)).isFalse();
        QueuePolicy alone = new QueuePolicy(QueueSettings.automatic(), 100 * MS, 100 * MS, 0);
        assertThat(alone.isTooLate(99 * MS, 0)).isTrue();
        assertThat(alone.trialNanos()).isEqualTo(100 * MS);
        assertThat(measured(60_000).trialNanos()).isEqualTo(1_000 * MS);
    }

    @Property
    void roomStaysInBoundsAndGrowsWithTimeAndPermits(
            @ForAll @LongRange(min = 1, max = 100_000_000_000L) long hold,
            @ForAll @IntRange(min = 1, max = 1_000_000) int permits,
            @ForAll @LongRange(max = 10_000_000_000L) long maxWaitNanos,
            @ForAll boolean standing) {
        QueuePolicy rules = new QueuePolicy(QueueSettings.automatic(), hold, hold, permits);
        int maxAhead = rules.maxAhead(permits, maxWaitNanos, standing);
        assertThat(maxAhead).isBetween(1, QueuePolicy.LONGEST);
        assertThat(rules.maxAhead(permits, maxWaitNanos + 1_000, standing)).isGreaterThanOrEqualTo(maxAhead);
        assertThat(rules.maxAhead(permits + 1, maxWaitNanos, standing)).isGreaterThanOrEqualTo(maxAhead);
        assertThat(rules.maxAhead(permits, maxWaitNanos, true))
                .isLessThanOrEqualTo(rules.maxAhead(permits, maxWaitNanos, false));
        // The last who is let in is served in time, unless even the first would not be.
        assertThat(maxAhead == 1 || rules.waitNanos(maxAhead, permits) <= maxWaitNanos)
                .isTrue();
    }

    private static QueuePolicy measured(long millis) {
        return pinned(QueueSettings.automatic(), millis);
    }

    private static QueuePolicy pinned(QueueSettings settings, long millis) {
        return new QueuePolicy(settings, millis * MS, millis * MS, 10);
    }
}
