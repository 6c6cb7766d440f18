package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.CollapseSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static int urgency(Object request) {
        return Character.digit(request.toString().charAt(0), 10);
    }

    @Test
    void itIsAsUrgentAsTheMostUrgentWhoIsInItNow() {
        Batch<String, String> batch = Pure.batchOfThree(Pure.item("5", 10));
        assertThat(batch.mostUrgent(BatchTest::urgency)).isEqualTo(5);
        batch.join(Pure.item("2", 10));
        batch.join(Pure.item("4", 10));
        assertThat(batch.mostUrgent(BatchTest::urgency)).isEqualTo(2);
        List<BatchItem<String, String>> half = batch.seal(0, Pure.UNKNOWN).half(false);
        assertThat(Batch.closed(half, batch.batcher()).mostUrgent(BatchTest::urgency))
                .isEqualTo(4);
    }

    @Test
    void whatCannotBeAnsweredInTimeStaysBehind() {
        CallTime callTime = new CallTime();
        callTime.sample(100);
        Batch<String, String> batch = Pure.batchOfThree(Pure.item("has time", 150));
        BatchItem<String, String> late = Pure.item("late", 149);
        batch.join(late);
        assertThat(batch.seal(50, callTime).requests()).containsExactly("has time");
        assertThat(Pure.giveUp(late)).isEqualTo("rejected");
    }

    @Test
    void whoHasLeftStaysBehindAndItsPlaceIsFreeButNotForEver() {
        BatchItem<String, String> first = Pure.item("first", 10);
        Batch<String, String> batch = Pure.batchOfTwo(first);
        int joined = 0;
        BatchItem<String, String> next = Pure.item("hasty", 10);
        while (batch.join(next)) {
            joined++;
            Pure.giveUp(next);
            batch.freeSlot();
            next = Pure.item("hasty", 10);
        }
        assertThat(joined).isEqualTo(2 * 64 - 1);
        assertThat(Pure.sealed(batch)).containsExactly("first");
    }

    @Test
    void whoLeavesOnceItIsSealedChangesNothing() {
        Batch<String, String> batch = Pure.batchOfTwo(Pure.item("first", 10));
        List<String> sealed = Pure.sealed(batch);
        batch.freeSlot();
        assertThat(batch.join(Pure.item("second", 10))).isFalse();
        assertThat(Pure.sealed(batch)).isEqualTo(sealed);
    }

    @Test
    void theTimeLeftIsRightWhereverTheClockStands() {
        for (long now : new long[] {0, Long.MAX_VALUE - 5, Long.MIN_VALUE, -3}) {
            BatchItem<String, String> first = Pure.item("a", now, 100, Pure.settings(9));
            Batch<String, String> batch = Pure.batchOfThree(first);
            BatchItem<String, String> pressed = Pure.item("b", now + 4, 50, Pure.settings(9));
            batch.join(pressed);
            assertThat(pressed.slack(now + 10)).isEqualTo(44);
            assertThat(batch.longestLeft(now + 10)).isEqualTo(90);
            batch.join(Pure.item("c", now + 4, Long.MAX_VALUE, Pure.settings(9)));
            assertThat(batch.longestLeft(now + 10)).isEqualTo(Long.MAX_VALUE);
        }
    }

    @Test
    void keysThatCannotBeComparedTakeNobodysEndingAway() {
        CollapseSettings<String, String> settings = Pure.collapse(9)
                .unique(request -> new Object() {
                    @Override
                    public int hashCode() {
                        throw new IllegalStateException("no hash");
                    }
                })
                .settings();
        BatchItem<String, String> one = Pure.item("one", 0, 10, settings);
        Batch<String, String> batch = Batch.of(one, Pure.batcher(settings));
        BatchItem<String, String> other = Pure.item("other", 0, 10, settings);
        batch.join(other);
        assertThat(Pure.sealed(batch)).isEmpty();
        assertThat(Pure.giveUp(one)).isEqualTo("failed");
        assertThat(Pure.giveUp(other)).isEqualTo("failed");
    }
}
