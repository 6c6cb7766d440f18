package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ModelCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread puts, many take; each element is taken once, in order. */
@Timeout(120)
class RingBufferTest {
    private final RingBuffer<Integer> small = new RingBuffer<>(2);

    /** Puts as a reader, which knows that there is space, while others take. */
    public static final class Shared {
        private final RingBuffer<Integer> ring = new RingBuffer<>(2);

        @Operation(nonParallelGroup = "reader")
        public boolean put(@Param(gen = IntGen.class, conf = "1:9") int one) {
            if (ring.size() == ring.capacity()) {
                return false;
            }
            while (!ring.offer(one)) {
                Thread.onSpinWait();
            }
            return true;
        }

        @Operation
        public @Nullable Integer take() {
            return ring.poll();
        }
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void isALinearizableQueueOfTwoSlots() {
        ModelCheck.options()
                .threads(3)
                .actorsPerThread(3)
                .iterations(12)
                .invocationsPerIteration(400)
                .sequentialSpecification(TwoPlaces.class)
                .check(Shared.class);
    }

    /** The plain reference implementation. */
    public static final class TwoPlaces {
        private final List<Integer> waiting = new ArrayList<>();

        public boolean put(int one) {
            return waiting.size() < 2 && waiting.add(one);
        }

        public @Nullable Integer take() {
            return waiting.isEmpty() ? null : waiting.removeFirst();
        }
    }

    @Test
    void capacityIsRoundedUpToAPowerOfTwo() {
        assertThat(new RingBuffer<>(64).capacity()).isEqualTo(64);
        assertThat(new RingBuffer<>(65).capacity()).isEqualTo(128);
    }

    @Test
    void rejectsWhenFull() {
        assertThat(small.offer(1)).isTrue();
        assertThat(small.offer(2)).isTrue();
        assertThat(small.offer(3)).isFalse();
        assertThat(small.size()).isEqualTo(2);
        assertThat(small.poll()).isEqualTo(1);
        assertThat(small.offer(3)).isTrue();
        assertThat(List.of(small.poll(), small.poll())).containsExactly(2, 3);
        assertThat(small.poll()).isNull();
        assertThat(small.isEmpty()).isTrue();
    }

    @Test
    void deliversEachOfAHundredThousandOnce() throws Exception {
        RingBuffer<Integer> ring = new RingBuffer<>(64);
        ConcurrentLinkedQueue<Integer> taken = new ConcurrentLinkedQueue<>();
        List<Thread> takers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            takers.add(Thread.ofPlatform().start(() -> {
                Integer one;
                while ((one = ring.poll()) == null || one >= 0) {
                    if (one == null) {
                        Thread.yield();
                    } else {
                        taken.add(one);
                    }
                }
            }));
        }
        for (int i = 0; i < 100_003; i++) {
            while (!ring.offer(i < 100_000 ? i : -1)) {
                Thread.yield();
            }
        }
        for (Thread taker : takers) {
            taker.join();
        }
        assertThat(taken).hasSize(100_000).doesNotHaveDuplicates();
    }
}
