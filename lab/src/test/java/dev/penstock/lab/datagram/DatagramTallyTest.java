package dev.penstock.lab.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DatagramTallyTest {
    private final DatagramTally tally = new DatagramTally(16);

    @Test
    void whatIsNotAnsweredIsLostByItsNumber() {
        tally.sent(0, 10);
        for (long number : new long[] {0, 1, 4, 7}) {
            assertThat(tally.answered(number, true)).isTrue();
        }
        tally.answered(8, false);
        assertThat(tally.waiting()).isEqualTo(5);
        tally.finish();
        assertThat(tally.losses()).containsExactly(new Loss(2, 3), new Loss(5, 6), new Loss(9, 9));
        assertThat(tally.right()).isEqualTo(4);
        assertThat(tally.wrong()).isEqualTo(1);
        assertThat(tally.lost()).isEqualTo(5);
        assertThat(tally.waiting()).isZero();
        assertThat(tally.maxWaiting()).isEqualTo(10);
    }

    @Test
    void aSecondAnswerIsADuplicateAndOneToWhatWasNeverSentIsStrange() {
        tally.sent(0, 2);
        tally.sent(4, 1);
        assertThat(tally.answered(0, true)).isTrue();
        assertThat(tally.answered(0, true)).isFalse();
        for (long never : new long[] {-1, 2, 5, 1_000, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(tally.answered(never, true)).isFalse();
        }
        assertThat(tally.duplicates()).isEqualTo(1);
        assertThat(tally.unexpected()).isEqualTo(6);
        tally.finish();
        assertThat(tally.losses()).containsExactly(new Loss(1, 1), new Loss(4, 4));
    }

    @Test
    void whatLeavesTheRingUnansweredIsLostAndItsAnswerLate() {
        tally.sent(0, 16);
        tally.answered(0, true);
        tally.sent(16, 3);
        assertThat(tally.lost()).isEqualTo(2);
        assertThat(tally.answered(1, true)).isFalse();
        assertThat(tally.late()).isEqualTo(1);
        assertThat(tally.lost()).isEqualTo(2);
        tally.finish();
        assertThat(tally.losses()).containsExactly(new Loss(1, 18));
    }

    @Test
    void agreesWithABookOfEveryNumber() {
        SplittableRandom random = new SplittableRandom(7);
        DatagramTally large = new DatagramTally(1 << 14);
        BitSet sent = new BitSet();
        BitSet answered = new BitSet();
        for (int next = 0; next < 10_000; next += random.nextInt(3)) {
            int count = 1 + random.nextInt(8);
            large.sent(next, count);
            sent.set(next, next + count);
            next += count;
            for (int i = 0; i < 6; i++) {
                int number = random.nextInt(next);
                assertThat(large.answered(number, true)).isEqualTo(sent.get(number) && !answered.get(number));
                answered.set(number, answered.get(number) || sent.get(number));
            }
        }
        large.finish();
        sent.andNot(answered);
        assertThat(large.lost()).isEqualTo(sent.cardinality());
        BitSet told = new BitSet();
        large.losses().forEach(loss -> told.set((int) loss.first(), (int) loss.last() + 1));
        List<Loss> stretches = large.losses();
        int upTo = (int) stretches.getLast().last() + 1;
        assertThat(told).isEqualTo(sent.get(0, upTo));
        assertThat(stretches).hasSizeLessThanOrEqualTo(Losses.MAX);
    }

    @Test
    void theRingIsAPowerOfTwo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DatagramTally(100))
                .withMessageContaining("power of two");
    }
}
