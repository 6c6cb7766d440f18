package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.source.ConnectionPhase.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectionPhaseTest {
    private static final long SECOND = 1_000_000_000;
    private static final Duration TEN = Duration.ofSeconds(10);

    private final ConnectionPhase phase = new ConnectionPhase(0, TEN);

    @Test
    void whatLastsTooLongIsCutOnce() {
        assertThat(phase.enter(Phase.BODY, SECOND, TEN)).isTrue();
        assertThat(phase.closeIfOverdue(11 * SECOND - 1)).isNull();
        assertThat(phase.closeIfOverdue(11 * SECOND)).isEqualTo(Phase.BODY);
        assertThat(phase.enter(Phase.FLOW, 11 * SECOND, TEN)).isFalse();
        assertThat(phase.now()).isEqualTo(Phase.CLOSED);
    }

    @Test
    void aRenewedPhaseGoesOn() {
        assertThat(phase.enter(Phase.ANSWER, SECOND, TEN)).isTrue();
        assertThat(phase.renew(5 * SECOND, TEN)).isTrue();
        assertThat(phase.closeIfOverdue(14 * SECOND)).isNull();
        assertThat(phase.since()).isEqualTo(SECOND);
        assertThat(phase.isSlow(4 * SECOND)).isTrue();
    }

    @Test
    void whoMovesLessThanTheLeastRateIsSlow() {
        assertThat(phase.enter(Phase.BODY, 0, TEN)).isTrue();
        assertThat(phase.isSlow(ConnectionPhase.GRACE))
                .as("in the first second")
                .isFalse();
        phase.transferred((int) (2 * ConnectionPhase.MIN_RATE));
        assertThat(phase.isSlow(2 * SECOND)).isFalse();
        assertThat(phase.isSlow(2 * SECOND + 1_000_000)).isTrue();
        assertThat(phase.<Boolean, RuntimeException>whileWaiting(() -> phase.isSlow(3 * SECOND)))
                .as("while it waits for memory")
                .isFalse();
        assertThat(phase.enter(Phase.ANSWER, 3 * SECOND, TEN)).isTrue();
        assertThat(phase.isSlow(3 * SECOND)).as("in its next phase").isFalse();
    }

    @Test
    void aTransactionThatHasJustBegunIsNotEvicted() {
        long late = 5 * SECOND;
        assertThat(phase.enter(Phase.BODY, 0, TEN)).isTrue();
        assertThat(phase.evictionCost(late)).as("as a stalled body").isZero();
        assertThat(phase.enter(Phase.FLOW, late, TEN)).isTrue();
        assertThat(phase.evict(late)).isNull();
        assertThat(phase.closeIfSlow(late)).isNull();
        assertThat(phase.now()).isEqualTo(Phase.FLOW);
    }

    @Test
    void evictingDoesNotRaceWithTheBeginOfATransaction() throws Exception {
        for (int round = 0; round < 20_000; round++) {
            ConnectionPhase raced = new ConnectionPhase(0, TEN);
            assertThat(raced.enter(Phase.BODY, 0, TEN)).isTrue();
            Thread evicting = Thread.ofVirtual().start(() -> raced.evict(5 * SECOND));
            boolean begun = raced.enter(Phase.FLOW, 5 * SECOND, TEN);
            evicting.join();
            assertThat(raced.now()).isEqualTo(begun ? Phase.FLOW : Phase.CLOSED);
        }
    }

    @Test
    void whatIsUnderWayIsMissedMost() {
        long late = 5 * SECOND;
        int idle = phase.evictionCost(late);
        assertThat(phase.enter(Phase.BODY, 0, TEN)).isTrue();
        int stalledBody = phase.evictionCost(late);
        assertThat(phase.enter(Phase.FLOW, 0, TEN)).isTrue();
        int flow = phase.evictionCost(late);
        assertThat(phase.enter(Phase.ANSWER, 0, TEN)).isTrue();
        int stalledAnswer = phase.evictionCost(late);
        assertThat(phase.enter(Phase.IDLE, 0, TEN)).isTrue();
        int idleOnceMore = phase.evictionCost(late);
        assertThat(phase.enter(Phase.HEAD, late, TEN)).isTrue();
        assertThat(phase.evictionCost(late)).as("reading its next head").isEqualTo(idleOnceMore);
        assertThat(new int[] {stalledBody, idle, idleOnceMore, stalledAnswer, flow})
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(phase.enter(Phase.ANSWER, 0, TEN)).isTrue();
        phase.transferred(Integer.MAX_VALUE);
        assertThat(phase.evictionCost(late))
                .isEqualTo(ConnectionPhase.NOT_EVICTABLE)
                .isEqualTo(flow);
    }
}
