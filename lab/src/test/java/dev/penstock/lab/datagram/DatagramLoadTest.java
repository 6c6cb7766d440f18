package dev.penstock.lab.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a clock that moves 5 us each time it is looked at, against a peer that is a queue. */
@Timeout(180)
class DatagramLoadTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - SECOND / 2); // readings overflow on the way
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

    /** Answers what passes a filter, at once; waiting moves the clock. */
    private class Peer implements DatagramPort {
        private final Queue<Long> answers = new ArrayDeque<>();
        private final LongPredicate passes;
        long dropped;
        long stallAt = -1;
        long takesNone;

        Peer(LongPredicate passes) {
            this.passes = passes;
        }

        @Override
        public int send(long first, int count) {
            if (takesNone-- > 0) {
                return 0;
            }
            for (long number = first; number < first + count; number++) {
                if (passes.test(number)) {
                    answers.add(number);
                }
                if (number == stallAt) {
                    time.addAndGet(SECOND / 10);
                }
            }
            return count;
        }

        @Override
        public int receive(Taker taker) {
            int count = 0;
            for (Long answer = answers.poll(); answer != null; answer = answers.poll()) {
                taker.answer(answer, answer % 10 != 9);
                count++;
            }
            return count;
        }

        @Override
        public void await(long nanos) {
            time.addAndGet(nanos);
        }

        @Override
        public OptionalLong dropped() {
            return OptionalLong.of(dropped);
        }

        @Override
        public void close() {}
    }

    @Test
    void countsWhatWasAnsweredAndWhatWasLost() throws Exception {
        DatagramResult result = steady(1_000).run(new Peer(number -> number % 100 != 50));
        assertThat(result.sent()).isEqualTo(1_000);
        assertThat(result.load().counts().right()).isEqualTo(890);
        assertThat(result.load().counts().wrong()).isEqualTo(100);
        assertThat(result.lost()).isEqualTo(10);
        assertThat(result.losses()).hasSize(10).startsWith(new Loss(50, 50), new Loss(150, 150));
        assertThat(result.lostShare()).isEqualTo(0.01);
        assertThat(result.senderProblem()).isNull();
        assertThat(result.metrics())
                .containsEntry("lost", 10.0)
                .containsEntry("wrong", 100.0)
                .containsEntry("drops", 0.0)
                .containsKeys("tps", "pps", "p50_ms", "p99_ms");
        assertThat(result.perSecond()).isBetween(990.0, 1_010.0);
    }

    @Test
    void aLostDatagramCountsAsTheTimeItWaited() throws Exception {
        DatagramResult result = steady(1_000).run(new Peer(number -> number % 20 != 0));

        assertThat(result.metrics())
                .containsEntry("lost", 50.0)
                .containsEntry("unanswered", 50.0)
                .containsEntry("failures", 100.0);
        assertThat(result.load().response().percentile(99).orElseThrow()).isGreaterThan(SECOND * 9 / 10);
        assertThat(LoadResult.isLowerBound(result.metrics(), "p99_ms")).isTrue();
        assertThat(LoadResult.isLowerBound(result.metrics(), "p90_ms")).isFalse();
    }

    @Test
    void aStoppableLoadThatIsInterruptedHasAResult() throws Exception {
        Thread caller = Thread.currentThread();
        DatagramLoad load = DatagramLoad.of(Cadence.steady(1_000))
                .lasting(Duration.ofHours(1))
                .ticker(ticker)
                .stoppable();
        DatagramResult result = load.run(new Peer(number -> {
            if (number == 500) {
                caller.interrupt();
            }
            return true;
        }));

        assertThat(result.load().counts().right()).isPositive();
        assertThat(result.load().windowSeconds()).isLessThan(3_600);
        assertThat(result.load().validity().whyInvalid()).startsWith("it was stopped after ");
    }

    @Test
    void aBurstGoesAtOnceAndTheNextInItsTime() throws Exception {
        DatagramResult result = DatagramLoad.of(Cadence.bursts(500, Duration.ofMillis(100)))
                .lasting(Duration.ofSeconds(1))
                .ticker(ticker)
                .run(new Peer(number -> number % 500 < 92));
        assertThat(result.sent()).isEqualTo(5_000);
        assertThat(result.lost()).isEqualTo(10 * 408);
        assertThat(result.losses()).startsWith(new Loss(92, 499), new Loss(592, 999));
        assertThat(result.notes())
                .last()
                .asString()
                .contains("92 to 499; 592 to 999")
                .endsWith("and more");
    }

    @Test
    void isInvalidWhenItWasHeldUpForTooLong() throws Exception {
        Peer peer = new Peer(number -> true);
        peer.stallAt = 5_000;
        DatagramResult result = steady(10_000).run(peer);
        assertThat(result.load().counts().shed()).isBetween(800L, 1_000L);
        assertThat(result.sent() + result.load().counts().shed()).isEqualTo(10_000);
        assertThat(result.lost()).isZero();
        assertThat(result.senderProblem()).contains("could not send").contains("lower the rate");
        assertThat(result.load().validity().valid()).isFalse();
    }

    @Test
    void fullBuffersAreTriedAgain() throws Exception {
        Peer peer = new Peer(number -> true);
        peer.takesNone = 5;
        DatagramResult result = steady(10_000).run(peer);
        assertThat(result.sent()).isEqualTo(10_000);
        assertThat(result.lost()).isZero();
    }

    @Test
    void aBufferThatStaysFullEndsTheLoadAllTheSame() throws Exception {
        Peer peer = new Peer(number -> true);
        peer.takesNone = Long.MAX_VALUE;
        DatagramResult result = steady(1_000).run(peer);
        assertThat(result.sent()).isZero();
        assertThat(result.load().counts().shed()).isEqualTo(1_000);
        assertThat(result.senderProblem()).isNotNull();
    }

    @Test
    void whatCameBeforeIsThrownAway() throws Exception {
        Peer peer = new Peer(number -> true);
        peer.send(0, 64);
        DatagramResult result = steady(100).run(peer);
        assertThat(result.duplicates() + result.unexpected()).isZero();
        assertThat(result.lost()).isZero();
    }

    @Test
    void tellsWhatWasDroppedHere() throws Exception {
        Peer peer = new Peer(number -> number != 7) {
            @Override
            public int send(long first, int count) {
                dropped += first <= 7 && 7 < first + count ? 1 : 0;
                return super.send(first, count);
            }
        };
        DatagramResult result = steady(100).run(peer);
        assertThat(result.droppedHere()).hasValue(1);
        assertThat(result.notes())
                .anySatisfy(note -> assertThat(note).contains("1 answers were dropped at the sender's own"));
    }

    @Test
    void aPortThatBreaksIsTold() {
        Peer peer = new Peer(number -> true) {
            @Override
            public int receive(Taker taker) {
                throw new IllegalStateException("no more");
            }
        };
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> steady(100).run(peer))
                .withMessageContaining("no more");
    }

    private DatagramLoad steady(double rate) {
        return DatagramLoad.of(Cadence.steady(rate))
                .lasting(Duration.ofSeconds(1))
                .ticker(ticker);
    }
}
