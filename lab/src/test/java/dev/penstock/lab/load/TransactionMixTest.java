package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.load.TransactionMix.Share;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TransactionMixTest {
    private static final List<Share> SHARES =
            List.of(new Share("browse", 80), new Share("search", 15), new Share("pay", 5));

    @Test
    void labelsAreDrawnByWeight() {
        int[] counts = new int[3];
        TransactionMix mix = new TransactionMix(SHARES, 1);
        LongStream.range(0, 100_000).forEach(number -> counts[mix.labelOf(number)]++);

        assertThat((double) counts[0]).isCloseTo(80_000, within(4 * Math.sqrt(100_000 * 0.80 * 0.20)));
        assertThat((double) counts[1]).isCloseTo(15_000, within(4 * Math.sqrt(100_000 * 0.15 * 0.85)));
        assertThat((double) counts[2]).isCloseTo(5_000, within(4 * Math.sqrt(100_000 * 0.05 * 0.95)));
    }

    /** Otherwise evenly spaced transactions of one label would meet the same phase of a periodic target. */
    @Test
    void aLabelDoesNotDependOnTheOneBefore() {
        int[] counts = new int[4];
        TransactionMix mix = new TransactionMix(List.of(new Share("a", 1), new Share("b", 1)), 7);
        LongStream.range(0, 40_000).forEach(number -> counts[2 * mix.labelOf(number) + mix.labelOf(number + 1)]++);

        assertThat(IntStream.of(counts).boxed()).allMatch(count -> count > 9_600 && count < 10_400);
    }

    @Test
    void theSeedDecidesTheSequence() {
        assertThat(sequence(3)).isEqualTo(sequence(3)).isNotEqualTo(sequence(4));
    }

    private static List<Integer> sequence(long seed) {
        TransactionMix mix = new TransactionMix(SHARES, seed);
        return LongStream.range(0, 1_000).mapToObj(mix::labelOf).toList();
    }

    @Test
    void largestMixOfLargestWeightsFits() {
        List<Share> shares = IntStream.range(0, TransactionMix.MAX_LABELS)
                .mapToObj(i -> new Share("l" + i, TransactionMix.MAX_WEIGHT))
                .toList();
        TransactionMix mix = new TransactionMix(shares, 1);

        assertThat(LongStream.range(0, 10_000).map(mix::labelOf).distinct().count())
                .isEqualTo(TransactionMix.MAX_LABELS);
    }

    @Test
    void namesLabelsAndWeights() {
        TransactionMix mix = new TransactionMix(SHARES, 1);

        assertThat(mix.labels()).containsExactly("browse", "search", "pay");
        assertThat(mix).hasToString("mix: browse 80, search 15, pay 5");
        assertThat(OpenLoad.at(Arrivals.constant(10)).count(5).labelled(mix))
                .hasToString("open load, 10/s evenly spaced, at most 5 transactions, mix: browse 80, search 15, pay 5");
    }

    @Test
    void invalidMixesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TransactionMix(List.of(new Share("a", 1), new Share("a", 2)), 1))
                .withMessage("the label \"a\" is used twice: use another one for one of them");
        assertThatIllegalArgumentException().isThrownBy(() -> new TransactionMix(List.of(), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TransactionMix(Collections.nCopies(101, new Share("a", 1)), 1))
                .withMessage("a load has 1 to 100 labels, not 101");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Share("a", 0))
                .withMessage("the weight of \"a\" must be 1 to 1000000, not 0");
    }
}
