package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StripedCountersTest {
    private static final int THREADS = 12;
    private static final int ROUNDS = 20_000;

    private final StripedCounters counts = new StripedCounters(5);

    @Test
    void countsBeginAtZeroAndStandApart() {
        counts.add(0);
        counts.addAll(1, 4);
        counts.addAll(4, 1);
        assertThat(IntStream.range(0, 5).mapToLong(counts::sum).boxed()).containsExactly(1L, 2L, 0L, 0L, 2L);
    }

    @Test
    void nothingIsLostBetweenMoreThreadsThanStripes() throws Exception {
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(number -> Thread.ofPlatform().start(() -> count(number)))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        long all = (long) THREADS * ROUNDS;
        assertThat(counts.sum(0)).isEqualTo(all);
        assertThat(counts.sum(1)).isEqualTo(all);
        assertThat(counts.sum(2) + counts.sum(3)).isEqualTo(all);
    }

    private void count(int number) {
        for (int round = 0; round < ROUNDS; round++) {
            counts.add(0);
            counts.addAll(1, 2 + (round + number) % 2);
        }
    }
}
