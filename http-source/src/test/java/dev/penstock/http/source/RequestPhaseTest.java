package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.source.RequestPhase.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestPhaseTest {
    private static final long SECOND = 1_000_000_000;
    private static final Duration TEN = Duration.ofSeconds(10);

    private final RequestPhase phase = new RequestPhase(this, 0, TEN);

    @Test
    void whatLastsTooLongIsCutOnce() {
        assertThat(phase.cut(10 * SECOND - 1, false)).isNull();
        assertThat(phase.cut(10 * SECOND, false)).isEqualTo(Phase.BODY);
        assertThat(phase.enter(Phase.FLOW, 10 * SECOND, TEN)).isFalse();
        assertThat(phase.enter(Phase.ANSWER, 10 * SECOND, TEN))
                .as("the one that cut it answers")
                .isFalse();
        assertThat(phase.cut(10 * SECOND, false)).isNull();
        assertThat(phase.cut(12 * SECOND, false))
                .as("the time of that answer is short")
                .isEqualTo(Phase.ANSWER);
    }

    @Test
    void aRenewedPhaseGoesOn() {
        assertThat(phase.enter(Phase.ANSWER, SECOND, TEN)).isTrue();
        phase.renew(5 * SECOND, TEN);
        assertThat(phase.cut(14 * SECOND, false)).isNull();
        assertThat(phase.isSlow(4 * SECOND)).isTrue();
    }

    @Test
    void whoMovesLessThanTheLeastRateIsSlow() {
        assertThat(phase.isSlow(RequestPhase.GRACE)).as("in the first second").isFalse();
        phase.transferred((int) (2 * RequestPhase.MIN_RATE));
        assertThat(phase.isSlow(2 * SECOND)).isFalse();
        assertThat(phase.isSlow(2 * SECOND + 1_000_000)).isTrue();
        phase.waits(true);
        assertThat(phase.isSlow(3 * SECOND)).as("while it waits for memory").isFalse();
        phase.waits(false);
        assertThat(phase.enter(Phase.ANSWER, 3 * SECOND, TEN)).isTrue();
        assertThat(phase.isSlow(3 * SECOND)).as("in its next phase").isFalse();
    }

    @Test
    void aTransactionThatHasJustBegunIsNotEvicted() {
        long late = 5 * SECOND;
        assertThat(phase.evictionCost(late, 1)).as("as a stalled body").isZero();
        assertThat(phase.enter(Phase.FLOW, late, TEN)).isTrue();
        assertThat(phase.cut(late, true)).isNull();
        assertThat(phase.cutIfSlow(late)).isNull();
        assertThat(phase.now()).isEqualTo(Phase.FLOW);
    }

    @Test
    void cuttingDoesNotRaceWithTheBeginOfATransaction() throws Exception {
        for (int round = 0; round < 20_000; round++) {
            RequestPhase raced = new RequestPhase(new Object(), 0, TEN);
            Thread cutting = Thread.ofVirtual().start(() -> raced.cut(5 * SECOND, true));
            boolean begun = raced.enter(Phase.FLOW, 5 * SECOND, TEN);
            cutting.join();
            assertThat(raced.now()).isEqualTo(begun ? Phase.FLOW : Phase.ANSWER);
        }
    }

    @Test
    void whatIsUnderWayIsMissedMost() {
        long late = 5 * SECOND;
        int stalledBody = phase.evictionCost(late, 1);
        assertThat(phase.enter(Phase.FLOW, 0, TEN)).isTrue();
        int flow = phase.evictionCost(late, 1);
        assertThat(phase.enter(Phase.ANSWER, 0, TEN)).isTrue();
        int stalledAnswer = phase.evictionCost(late, 1);
        assertThat(new int[] {stalledBody, 2, stalledAnswer, flow}).isSorted().doesNotHaveDuplicates();
        phase.transferred(Integer.MAX_VALUE);
        assertThat(phase.evictionCost(late, 1))
                .isEqualTo(RequestPhase.NOT_EVICTABLE)
                .isEqualTo(flow);
    }
}
