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
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OutcomeCountersTest {
    private final OutcomeCounters counters = new OutcomeCounters(0);

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
    void aTransactionEndedTwiceBreaksTheLaw() {
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
    void everySequenceOfEndingsIsCountedExactly(@ForAll @Size(max = 300) List<@IntRange(max = 14) Integer> slots) {
        OutcomeCounters fresh = new OutcomeCounters(0);
        long answered = 0;
        long unknown = 0;
        for (int slot : slots) {
            fresh.offered(0);
            if (slot == 0) {
                fresh.answered(1_000);
                answered++;
            } else {
                Unanswered ending = ending(slot);
                fresh.ended(ending, 1_000);
                unknown += ending instanceof Unknown ? 1 : 0;
            }
        }
        Accounting account = fresh.snapshot();
        assertThat(account.isSettled()).isTrue();
        assertThat(account.offered()).isEqualTo(slots.size());
        assertThat(account.answered()).isEqualTo(answered);
        assertThat(account.unknown()).isEqualTo(unknown);
    }

    @Test
    void theLawHoldsInEverySnapshotTakenWhileOthersCount() throws Exception {
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
            int slot = round % 15;
            counters.offered(0);
            if (slot == 0) {
                counters.answered(1_000);
            } else {
                counters.ended(ending(slot), 1_000);
            }
        }
    }

    private void end(Unanswered ending) {
        counters.offered(0);
        counters.ended(ending, 1_000);
    }

    private static Unanswered ending(int slot) {
        if (slot <= 6) {
            return new Rejected(Rejected.Cause.values()[slot - 1], "");
        }
        return slot <= 10
                ? new Failed(Failed.Cause.values()[slot - 7], "")
                : new Unknown(Unknown.Cause.values()[slot - 11], "");
    }
}
