package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions that are handed over, who listens to their ends, and users who pause. Real threads. */
@Timeout(180)
class IntakeRealClockTest {
    private static final long MS = 1_000_000;
    private static final LongFunction<Long> NUMBERS = number -> number;
    private static final Rejected REJECTED = new Rejected(Rejected.Cause.LIMIT, "all permits are in use");

    /** Notes on which threads it was asked; how it ends is for each test to say. */
    private abstract static class Recording implements Intake<Long, Long> {
        final Set<String> threads = ConcurrentHashMap.newKeySet();

        @Override
        public void take(Long request, Reply<? super Long> reply) throws Exception {
            threads.add(Thread.currentThread().getName());
            end(request, reply);
        }

        abstract void end(long number, Reply<? super Long> reply) throws Exception;

        @Override
        public Long call(Long request) {
            throw new AssertionError("it was to be offered");
        }
    }

    @Test
    void whatIsOfferedIsDecidedByThePacerAndEndsOnAnyThread() throws InterruptedException {
        try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
            Recording intake = new Recording() {
                @Override
                void end(long number, Reply<? super Long> reply) throws Exception {
                    switch ((int) (number % 4)) {
                        case 0 -> throw REJECTED;
                        case 1 -> reply.threw(new Failed(Failed.Cause.CONNECT, "refused"));
                        case 2 -> others.execute(() -> reply.answered(number));
                        default -> reply.answered(-1L);
                    }
                }
            };

            LoadResult result =
                    OpenLoad.at(Arrivals.constant(20_000)).count(400).offer(intake, NUMBERS, answer -> answer >= 0);

            assertThat(intake.threads).containsExactly("penstock-pacer");
            assertThat(result.counts().causes())
                    .isEqualTo(Map.of(
                            "answered", Map.of("right", 100L, "wrong", 100L),
                            "rejected", Map.of("limit", 100L),
                            "failed", Map.of("connect", 100L)));
        }
    }

    @Test
    void onlyTheFirstEndingCounts() throws InterruptedException {
        LoadResult result = OpenLoad.at(Arrivals.constant(20_000))
                .count(300)
                .offer(
                        new Recording() {
                            @Override
                            void end(long number, Reply<? super Long> reply) throws Exception {
                                reply.answered(number);
                                reply.threw(new Failed(Failed.Cause.CONNECT, "refused"));
                                reply.answered(number);
                                throw REJECTED;
                            }
                        },
                        NUMBERS,
                        answer -> true);

        assertThat(result.counts().causes()).isEqualTo(Map.of("answered", Map.of("right", 300L)));
        assertThat(result.inFlightMax()).isEqualTo(1);
    }

    @Test
    void whatNobodyTellsTheEndOfIsLostAfterTheGrace() throws InterruptedException {
        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .count(20)
                .maxInFlight(15)
                .grace(Duration.ofMillis(50))
                .offer(
                        new Recording() {
                            @Override
                            void end(long number, Reply<? super Long> reply) {
                                if (number >= 10) {
                                    return;
                                }
                                reply.answered(number);
                            }
                        },
                        NUMBERS,
                        answer -> true);

        assertThat(result.counts().right()).isEqualTo(10);
        assertThat(result.counts().lost()).isEqualTo(10);
    }

    @Test
    void aSparingPacerOffersAsManyAsAPunctualOne() throws InterruptedException {
        AtomicLong latest = new AtomicLong();
        LoadResult result = OpenLoad.at(Arrivals.poisson(5_000, 1))
                .lasting(Duration.ofMillis(200))
                .sparing(Duration.ofMillis(5))
                .listen((outcome, intended, start, end) -> latest.accumulateAndGet(start - intended, Math::max))
                .run(number -> number, NUMBERS);

        Set<Long> punctual = ConcurrentHashMap.newKeySet();
        OpenLoad.at(Arrivals.poisson(5_000, 1)).lasting(Duration.ofMillis(200)).run(punctual::add, NUMBERS);
        assertThat(result.counts().right()).isEqualTo(punctual.size());
        assertThat(latest.get()).as("due just after a point of the grid").isGreaterThan(4_000_000);
    }

    @Test
    void aListenerHearsOfEveryEndTheWarmUpIncluded() throws InterruptedException {
        AtomicLong window = new AtomicLong(Long.MIN_VALUE);
        AtomicInteger before = new AtomicInteger();
        AtomicInteger within = new AtomicInteger();
        Set<Outcome> outcomes = ConcurrentHashMap.newKeySet();
        EndListener listener = new EndListener() {
            @Override
            public void begins(long windowStart) {
                window.set(windowStart);
            }

            @Override
            public void ended(Outcome outcome, long intended, long start, long end) {
                assertThat(start).isBetween(intended, end);
                (intended - window.get() < 0 ? before : within).incrementAndGet();
                outcomes.add(outcome);
            }
        };

        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .lasting(Duration.ofMillis(100))
                .warmUp(Duration.ofMillis(40))
                .listen(listener)
                .run(
                        number -> {
                            if (number % 2 == 0) {
                                throw REJECTED;
                            }
                            return number;
                        },
                        NUMBERS);

        assertThat(before).hasValue(40);
        assertThat(within).hasValue(60);
        assertThat(result.counts().offered()).isEqualTo(60);
        assertThat(outcomes).containsExactlyInAnyOrder(Outcome.RIGHT, Outcome.of(REJECTED));
        assertThat(outcomes).filteredOn(Outcome::isRejected).containsExactly(Outcome.of(REJECTED));
    }

    @Test
    void aUserWhoIsRejectedPauses() throws InterruptedException {
        ConcurrentLinkedQueue<Long> starts = new ConcurrentLinkedQueue<>();
        LoadResult result = ClosedLoad.of(1, Duration.ZERO)
                .pauseAfterRejection(Duration.ofMillis(40), Duration.ofMillis(80), 1)
                .ticker(new MovedByUsers())
                .count(4)
                .listen((outcome, intended, start, end) -> starts.add(start))
                .run(
                        number -> {
                            if (number != 1) {
                                throw REJECTED;
                            }
                            return number;
                        },
                        NUMBERS);

        Long[] at = starts.toArray(Long[]::new);
        assertThat(result.load()).startsWith("closed load, 1 users pausing 40 ms to 80 ms when rejected");
        assertThat(result.response().max().orElseThrow())
                .as("a pause is no wait")
                .isLessThan(MS);
        assertThat(at[1] - at[0]).isBetween(40 * MS, 80 * MS);
        assertThat(at[2] - at[1]).as("after an answer").isZero();
        assertThat(at[3] - at[2]).isBetween(40 * MS, 80 * MS).isNotEqualTo(at[1] - at[0]);
    }

    /** Time that only the users' pauses move on. */
    private static final class MovedByUsers implements Ticker {
        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanos() {
            return now.get();
        }

        @Override
        public void parkUntil(long nanos) {
            if (Thread.currentThread().isVirtual()) {
                now.accumulateAndGet(nanos, Math::max);
            } else {
                LockSupport.park(this);
            }
        }
    }

    @Test
    void aPauseThatEndsBeforeItBeginsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClosedLoad.of(1, Duration.ZERO)
                        .pauseAfterRejection(Duration.ofMillis(2), Duration.ofMillis(1), 1))
                .withMessageContaining("not 2 ms to 1 ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenLoad.at(Arrivals.constant(1)).sparing(Duration.ZERO))
                .withMessageContaining("above 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenLoad.at(Arrivals.constant(1))
                        .offer(
                                new Recording() {
                                    @Override
                                    void end(long number, Reply<? super Long> reply) {
                                        reply.answered(number);
                                    }
                                },
                                NUMBERS,
                                answer -> true))
                .withMessageContaining("needs a duration");
    }
}
