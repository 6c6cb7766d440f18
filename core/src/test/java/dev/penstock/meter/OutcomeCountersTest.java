package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class OutcomeCountersTest {
    private static final Object ANSWERED = "answered";
    private static final List<Object> ENDINGS = Stream.of(
                    Stream.of(ANSWERED),
                    Stream.of(Rejected.Cause.values()).map(cause -> new Rejected(cause, "")),
                    Stream.of(Failed.Cause.values()).map(cause -> new Failed(cause, "")),
                    Stream.of(Unknown.Cause.values()).map(cause -> new Unknown(cause, "")))
            .<Object>flatMap(endings -> endings)
            .toList();

    private final OutcomeCounters counters = new OutcomeCounters(0);

    @Provide
    Arbitrary<List<Object>> endings() {
        return Arbitraries.of(ENDINGS).list().ofMaxSize(300);
    }

    @Test
    void anOfferedTransactionIsInFlightUntilItEnds() {
        counters.offered(0);
        assertThat(counters.snapshot().inFlight()).isEqualTo(1);
        counters.answered(1_000);
        assertThat(counters.snapshot()).isEqualTo(new Accounting(1, 1, 0, 0, 0, 0, Map.of()));
    }

    @Test
    void causesAreCountedApart() {
        end(new Rejected(Rejected.Cause.LIMIT, ""));
        end(new Rejected(Rejected.Cause.QUEUE, ""));
        end(new Rejected(Rejected.Cause.QUEUE, ""));
        end(new Failed(Failed.Cause.CONNECT, ""));
        end(new Unknown(Unknown.Cause.TIMEOUT, ""));
        assertThat(counters.snapshot().causes())
                .isEqualTo(Map.of(
                        "rejected", Map.of("limit", 1L, "queue", 2L),
                        "failed", Map.of("connect", 1L),
                        "unknown", Map.of("timeout", 1L)));
    }

    @Test
    void aTransactionThatEndsTwiceBreaksTheInvariant() {
        end(new Failed(Failed.Cause.UNDONE, ""));
        counters.answered(1_000);
        assertThat(counters.snapshot().isBalanced()).isFalse();
    }

    @Test
    void aTransactionThatNeverEndsStaysInFlight() {
        counters.offered(0);
        assertThat(counters.snapshot().isSettled()).isFalse();
    }

    @Property(tries = 200)
    void everySequenceOfEndingsIsCountedExactly(@ForAll("endings") List<Object> endings) {
        OutcomeCounters fresh = new OutcomeCounters(0);
        long answered = 0;
        long unknown = 0;
        for (Object ending : endings) {
            end(fresh, ending);
            answered += ending == ANSWERED ? 1 : 0;
            unknown += ending instanceof Unknown ? 1 : 0;
        }
        Accounting account = fresh.snapshot();
        assertThat(account.isSettled()).isTrue();
        assertThat(account.offered()).isEqualTo(endings.size());
        assertThat(account.answered()).isEqualTo(answered);
        assertThat(account.unknown()).isEqualTo(unknown);
    }

    @Test
    void theInvariantHoldsInEverySnapshotTakenWhileOthersCount() throws Exception {
        int threads = 4;
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch started = new CountDownLatch(threads);
        List<Thread> workers = java.util.stream.IntStream.range(0, threads)
                .mapToObj(number -> Thread.ofPlatform().start(() -> work(number, stop, started)))
                .toList();
        started.await();
        for (int reading = 0; reading < 2_000; reading++) {
            Accounting account = counters.snapshot();
            assertThat(account.isBalanced()).as(account.sentence()).isTrue();
        }
        stop.set(true);
        for (Thread worker : workers) {
            worker.join();
        }
        assertThat(counters.snapshot().isSettled()).isTrue();
    }

    private void work(int number, AtomicBoolean stop, CountDownLatch started) {
        started.countDown();
        for (int round = number; !stop.get(); round++) {
            end(counters, ENDINGS.get(round % ENDINGS.size()));
        }
    }

    private void end(Unanswered ending) {
        end(counters, ending);
    }

    private static void end(OutcomeCounters counters, Object ending) {
        counters.offered(0);
        if (ending instanceof Unanswered unanswered) {
            counters.ended(unanswered, 1_000);
        } else {
            counters.answered(1_000);
        }
    }
}
