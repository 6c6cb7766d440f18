package dev.penstock.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupervisorTest {
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 50_000_000);
    private final Supervisor supervisor = new Supervisor(ticker);
    private final Part part = supervisor.part("reader", "udp 9000");

    @Test
    void workThatThrowsAnErrorIsCountedAndRunsAgainAfterAPause() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Thread thread = part.start(Thread.ofVirtual(), () -> {
            if (runs.incrementAndGet() < 3) {
                throw new NoClassDefFoundError("com/example/Missing");
            }
        });

        ticker.awaitParked(1);
        assertThat(supervisor.faults()).containsEntry("reader", 1L);
        assertThat(supervisor.down())
                .containsExactly("reader (udp 9000) is down: java.lang.NoClassDefFoundError: com/example/Missing");
        ticker.advance(Duration.ofMillis(99));
        assertThat(runs).hasValue(1);
        ticker.advance(Duration.ofMillis(1));
        ticker.awaitParked(1);
        assertThat(runs).hasValue(2);
        ticker.advance(Duration.ofMillis(200));
        thread.join();
        assertThat(runs).hasValue(3);
        assertThat(supervisor.faults()).containsEntry("reader", 2L);
        assertThat(supervisor.down()).isEmpty();
    }

    @Test
    void pausesGrowUpToTheLongestAndStartOverAfterAMinuteWithoutFailure() {
        AtomicInteger runs = new AtomicInteger();
        part.start(Thread.ofVirtual(), () -> {
            if (runs.incrementAndGet() == 11) {
                ticker.parkUntil(ticker.nanos() + Supervisor.MEMORY.toNanos() + 1);
            }
            throw new IllegalStateException("broken");
        });
        for (long pause : new long[] {100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000}) {
            ticker.awaitParked(1);
            int before = runs.get();
            ticker.advance(Duration.ofMillis(pause - 1));
            assertThat(ticker.parked()).isEqualTo(1);
            assertThat(runs).hasValue(before);
            ticker.advance(Duration.ofMillis(1));
        }
        ticker.awaitParked(1);
        assertThat(runs).hasValue(11);
        ticker.advance(Supervisor.MEMORY.plusNanos(1));
        ticker.awaitParked(1);
        ticker.advance(Supervisor.FIRST_PAUSE);
        ticker.awaitParked(1);
        assertThat(runs).hasValue(12);
        part.close();
    }

    @Test
    void aPartThatFailsTooOftenIsReportedUntilAMinuteHasPassed() {
        part.failed("it goes on", new IllegalStateException("one"));
        part.failed("it goes on", new IllegalStateException("two"));
        assertThat(supervisor.down()).isEmpty();
        ticker.advance(Duration.ofSeconds(30));
        part.failed("it goes on", new IllegalStateException("three"));
        assertThat(supervisor.down())
                .containsExactly(
                        "reader (udp 9000) failed 3 times or more within 60 s, last: java.lang.IllegalStateException: three");
        ticker.advance(Duration.ofSeconds(31));
        assertThat(supervisor.down()).isEmpty();
        assertThat(supervisor.faults()).containsEntry("reader", 3L);
    }

    @Test
    void closingEndsAPauseAndTheThread() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        Thread thread = part.start(Thread.ofVirtual(), () -> {
            runs.incrementAndGet();
            throw new IllegalStateException("broken");
        });
        ticker.awaitParked(1);
        part.close();
        thread.join();
        assertThat(runs).hasValue(1);
        assertThat(supervisor.down()).isEmpty();
        assertThat(supervisor.faults()).containsEntry("reader", 1L);
    }

    @Test
    void aScheduleGoesOnAfterATaskThrew() throws Exception {
        CountDownLatch thrice = new CountDownLatch(3);
        try (ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1)) {
            var schedule = timer.scheduleWithFixedDelay(
                    part.periodic(() -> {
                        thrice.countDown();
                        throw new StackOverflowError();
                    }),
                    0,
                    1,
                    TimeUnit.MILLISECONDS);
            thrice.await();
            assertThat(schedule.isDone()).isFalse();
            timer.shutdownNow();
        }
        assertThat(supervisor.faults().getOrDefault("reader", 0L)).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aFailureThatCannotBePrintedIsCounted() {
        part.failed("it goes on", new IllegalStateException() {
            @Override
            public String toString() {
                throw new OutOfMemoryError();
            }
        });
        assertThat(supervisor.faults()).containsEntry("reader", 1L);
    }

    @Test
    void failuresOfSingleCallsAreCountedAndDoNotMakeThePartDown() {
        for (int i = 0; i < 10; i++) {
            part.failedOnce("that connection is closed", new NoClassDefFoundError("com/example/Missing"));
        }
        assertThat(supervisor.faults()).containsEntry("reader", 10L);
        assertThat(supervisor.down()).isEmpty();
    }

    @Test
    void whatIsBuiltWithinASupervisorIsNotOfAnother() {
        Supervisor other = new Supervisor(ticker);
        Part own = other.whileCurrent(() -> Supervisor.current().part("reader", "udp 9001"));
        assertThat(Supervisor.current()).isNotSameAs(other);
        for (int i = 0; i < 3; i++) {
            own.failed("it goes on", new IllegalStateException("broken"));
        }
        assertThat(other.down()).hasSize(1);
        assertThat(supervisor.down()).isEmpty();
        assertThat(supervisor.faults()).containsEntry("reader", 0L);
        own.close();
        assertThat(other.down()).isEmpty();
        assertThat(other.faults()).containsEntry("reader", 3L);
    }

    @Test
    void aThreadThatCannotBeMadeClosesThePart() {
        assertThatThrownBy(() -> part.start(Thread.ofPlatform().stackSize(Long.MAX_VALUE / 2), () -> {
                    throw new AssertionError("never runs");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(supervisor.down()).isEmpty();
    }
}
