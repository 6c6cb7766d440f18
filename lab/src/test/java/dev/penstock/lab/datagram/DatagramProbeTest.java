package dev.penstock.lab.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that answers no more than so many datagrams of one port, on a clock that moves 5 us each time it is looked at. */
@Timeout(180)
class DatagramProbeTest {
    private static final int HELD = 92;

    private final AtomicLong time = new AtomicLong();
    private final AtomicLong droppedAtPeer = new AtomicLong();
    private final AtomicLong mostAtOnce = new AtomicLong();
    private final Ticker ticker = new Ticker() {
        @Override
        public long nanos() {
            return time.getAndAdd(5_000);
        }

        @Override
        public void parkUntil(long nanos) {
            throw new AssertionError("it waits by its port alone");
        }
    };

    private final class Peer implements DatagramPort {
        private final Queue<Long> answers = new ArrayDeque<>();
        private final long held;

        Peer(long held) {
            this.held = held;
        }

        @Override
        public int send(long first, int count) {
            for (long number = first; number < first + count; number++) {
                if (number < held) {
                    answers.add(number);
                } else {
                    droppedAtPeer.incrementAndGet();
                }
            }
            mostAtOnce.accumulateAndGet(first + count, Math::max);
            return count;
        }

        @Override
        public int receive(Taker taker) {
            int count = answers.size();
            answers.forEach(number -> taker.answer(number, true));
            answers.clear();
            return count;
        }

        @Override
        public void await(long nanos) {
            time.addAndGet(nanos);
        }

        @Override
        public OptionalLong dropped() {
            return OptionalLong.of(0);
        }

        @Override
        public void close() {}
    }

    private DatagramProbe probe(long held) {
        return DatagramProbe.through(() -> new Peer(held)).gently(10).ticker(ticker);
    }

    @Test
    void findsWhereBurstsAreLostAndSaysWhatToDo() throws Exception {
        DatagramProbe.Found found = probe(HELD)
                .peerDrops(() -> OptionalLong.of(droppedAtPeer.get()))
                .upTo(2_000, 0)
                .run();
        LossEdge burst = Objects.requireNonNull(found.burst());
        assertThat(burst.well()).isBetween(HELD / 1.1 - 1, (double) HELD);
        assertThat(burst.tooMuch().getAsDouble()).isBetween((double) HELD, HELD * 1.2);
        assertThat(burst.lost()).isPositive().isEqualTo(droppedAtPeer.get());
        assertThat(burst.atPeer()).hasValue(burst.lost());
        assertThat(burst.elsewhere()).isZero();
        DatagramSentences words = new DatagramSentences(found, 9_000, 10_000, count -> count * 2_304);
        assertThat(words.findings())
                .anySatisfy(line ->
                        assertThat(line).startsWith("bursts: no loss up to ").contains("; loss at "))
                .anySatisfy(line -> assertThat(line).contains("at the peer's socket"));
        assertThat(words.yaml()).last().asString().contains("from: { udp: { port: 9000, burst: 10000 } }");
        assertThat(words.sysctl())
                .containsExactly("sysctl -w net.core.rmem_max=11520000   # at the peer: room for 10,000 datagrams");
    }

    @Test
    void onlyMeasuresTheRoundTripUnlessItMayPush() throws Exception {
        DatagramProbe.Found found = probe(1_000_000).run();
        assertThat(found.burst()).isNull();
        assertThat(found.rate()).isNull();
        assertThat(mostAtOnce).hasValue(20);
        DatagramSentences words = new DatagramSentences(found, 9_000, 10_000, count -> count);
        assertThat(words.findings()).hasSize(1).first().asString().startsWith("round trip: median ");
        assertThat(words.yaml()).isEmpty();
        assertThat(words.sysctl()).isEmpty();
    }

    @Test
    void doesNotPushWhatAnswersNothing() throws Exception {
        DatagramProbe.Found found = probe(0).upTo(10_000, 10_000).run();
        assertThat(found.burst()).isNull();
        assertThat(mostAtOnce).hasValue(20);
        assertThat(new DatagramSentences(found, 9_000, 10_000, count -> count).findings())
                .first()
                .asString()
                .contains("check whether something listens there");
    }

    @Test
    void endsInItsTime() throws Exception {
        DatagramProbe.Found found = probe(1_000_000)
                .upTo(1_000_000, 1_000_000)
                .lasting(Duration.ofSeconds(4))
                .run();
        assertThat(time.get()).isLessThan(6_000_000_000L);
        assertThat(Objects.requireNonNull(found.rate()).ended()).isFalse();
    }
}
