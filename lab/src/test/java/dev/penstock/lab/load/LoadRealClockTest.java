package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.load.TransactionMix.Share;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.measure.TimeLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads; what is asserted does not depend on how fast the machine is. */
@Timeout(300)
class LoadRealClockTest {
    private static final Duration GRACE = Duration.ofMillis(200);

    @Test
    void everyTransactionHasOneEndingByItsKind() throws InterruptedException {
        LoadResult result =
                OpenLoad.at(Arrivals.constant(10_000)).count(700).run(LoadRealClockTest::ending, n -> n, "ok"::equals);

        assertThat(result.counts())
                .isEqualTo(new Counts(
                        700,
                        100,
                        100,
                        200,
                        100,
                        200,
                        0,
                        0,
                        Map.of(
                                "answered", Map.of("right", 100L, "wrong", 100L),
                                "rejected", Map.of("limit", 100L, "breaker", 100L),
                                "failed", Map.of("connect", 100L),
                                "unknown", Map.of("timeout", 100L, "error", 100L))));
        assertThat(result.counts().errors()).isEqualTo(600);
        assertThat(result.response().count()).isEqualTo(200); // right, or never answered;
    }

    @Test
    void aStoppableLoadThatIsInterruptedHasAResult() throws InterruptedException {
        Thread caller = Thread.currentThread();
        LoadResult result = OpenLoad.at(Arrivals.constant(200))
                .lasting(Duration.ofMinutes(10))
                .stoppable()
                .run(
                        number -> {
                            if (number == 20) {
                                caller.interrupt();
                            }
                            return "ok";
                        },
                        number -> number);

        assertThat(result.counts().right()).isGreaterThan(20);
        assertThat(result.counts().lost()).isZero();
        assertThat(result.windowSeconds()).isBetween(0.05, 60.0);
        assertThat(result.validity().whyInvalid())
                .startsWith("it was stopped after ")
                .contains(" of 10 min");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aRequestIsMadeOnceForEachNumber() throws InterruptedException {
        Set<Long> numbers = ConcurrentHashMap.newKeySet();

        OpenLoad.at(Arrivals.poisson(20_000, 1)).count(1_000).run(numbers::add, n -> n);

        assertThat(numbers).hasSize(1_000).contains(0L, 999L);
    }

    @Test
    void whatHasNoEndingAfterTheGraceIsLostAndInterrupted() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(3);
        CountDownLatch others = new CountDownLatch(7);
        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .count(10)
                .grace(GRACE)
                .listen((outcome, intended, start, end) -> others.countDown())
                .run(
                        number -> {
                            if (number >= 7) {
                                hang(interrupted);
                            }
                            return number;
                        },
                        number -> number < 7 ? number : after(others, number));

        assertThat(result.counts().lost()).isEqualTo(3);
        assertThat(result.counts().right()).isEqualTo(7);
        assertThat(result.counts().errors()).isEqualTo(3);
        interrupted.await();
    }

    @Test
    void shedsWhatIsDueBeyondItsBoundAndSaysThatItIsInvalid() throws InterruptedException {
        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .count(50)
                .maxInFlight(5)
                .grace(GRACE)
                .run(
                        number -> {
                            hang(new CountDownLatch(1));
                            return number;
                        },
                        n -> n);

        assertThat(result.counts().offered()).isEqualTo(50);
        assertThat(result.counts().shed()).isEqualTo(45);
        assertThat(result.counts().lost()).isEqualTo(5);
        assertThat(result.inFlightMax()).isEqualTo(5);
        assertThat(result.validity().whyInvalid()).contains("shed 45 of 50 transactions (90.00 %");
    }

    @Test
    void aStallShowsInTheResponseOfAllThatWereDueMeanwhile() throws InterruptedException {
        Object one = new Object();
        LoadResult result = OpenLoad.at(Arrivals.constant(500))
                .count(100)
                .run(
                        number -> {
                            synchronized (one) { // one at a time; the first takes 150 ms
                                long until = Ticker.SYSTEM.nanos() + 150_000_000;
                                while (number == 0 && until - Ticker.SYSTEM.nanos() > 0) {
                                    Ticker.SYSTEM.parkUntil(until);
                                }
                                return number;
                            }
                        },
                        n -> n);

        assertThat(result.response().max().orElseThrow()).isGreaterThan(140_000_000L);
        assertThat(result.counts().right()).isEqualTo(100);
    }

    @Test
    void eachLabelHasFiguresOfItsOwn() throws InterruptedException {
        TransactionMix mix = new TransactionMix(List.of(new Share("quick", 9), new Share("slow", 1)), 5);
        List<AtomicInteger> calls = List.of(new AtomicInteger(), new AtomicInteger());
        for (Load<?> load : List.of(
                OpenLoad.at(Arrivals.constant(2_000)).count(500),
                ClosedLoad.of(5, Duration.ZERO).count(500))) {
            calls.forEach(count -> count.set(0));
            LoadResult result = load.labelled(mix)
                    .<Integer, Integer>runJudged(
                            label -> {
                                calls.get(label).incrementAndGet();
                                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + label * 20_000_000L);
                                return label;
                            },
                            mix::labelOf,
                            (answer, label, measured) -> answer == label ? Outcome.RIGHT : Outcome.WRONG);

            assertThat(result.counts().right()).isEqualTo(500);
            assertThat(result.labels().get("quick"))
                    .containsEntry("count", calls.get(0).doubleValue())
                    .containsEntry("errors", 0.0);
            assertThat(result.labels().get("slow"))
                    .containsEntry("count", calls.get(1).doubleValue())
                    .hasEntrySatisfying("min_ms", ms -> assertThat(ms).isGreaterThan(19));
            assertThat(calls.get(1).get()).isEqualTo((int) IntStream.range(0, 500)
                    .filter(number -> mix.labelOf(number) == 1)
                    .count());
        }
    }

    @Test
    void usersWaitForTheirAnswers() throws InterruptedException {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        LoadResult result = ClosedLoad.of(4, Duration.ZERO)
                .count(2_000)
                .run(
                        number -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            now.decrementAndGet();
                            return number;
                        },
                        n -> n);

        assertThat(result.counts().right()).isEqualTo(2_000);
        assertThat(most.get()).isLessThanOrEqualTo(4);
        assertThat(result.inFlightMax()).isLessThanOrEqualTo(4);
    }

    @Test
    void usersThinkBetweenTransactionsAndStopInTime() throws Exception {
        ManualTicker ticker = new ManualTicker();
        Future<LoadResult> result =
                running(ClosedLoad.of(2, Duration.ofMillis(50)).lasting(Duration.ofMillis(220)), ticker);
        for (int thought = 0; thought < 4; thought++) {
            ticker.awaitParked(2 + 1); // the users, and who runs the load
            ticker.advance(Duration.ofMillis(50));
        }

        assertThat(result.get().counts().offered()).isEqualTo(10);
        assertThat(result.get().counts().right()).isEqualTo(10);
    }

    @Test
    void usersMayBeginOneByOneAndThinkAnyTime() throws Exception {
        ManualTicker ticker = new ManualTicker();
        List<Long> starts = Collections.synchronizedList(new ArrayList<>());
        ClosedLoad load = ClosedLoad.of(20, Duration.ZERO)
                .beginningWithin(Duration.ofMillis(100), 1)
                .thinking(Duration.ofSeconds(5), Duration.ofSeconds(6), 2)
                .lasting(Duration.ofMillis(150))
                .listen((outcome, intended, start, end) -> starts.add(intended));
        Future<LoadResult> result = running(load, ticker);
        ticker.awaitParked(20 + 1); // the users, and who runs the load
        ticker.advance(Duration.ofMillis(100));

        assertThat(result.get().counts().right())
                .as("each once, for then it thinks")
                .isEqualTo(20);
        assertThat(new HashSet<>(starts)).hasSize(20);
        assertThat(Collections.max(starts) - Collections.min(starts)).isBetween(50_000_000L, 100_000_000L);
        assertThat(load).hasToString("closed load, 20 users thinking 5 s to 6 s starting within 100 ms for 150 ms");
    }

    private static Future<LoadResult> running(ClosedLoad load, ManualTicker ticker) {
        FutureTask<LoadResult> running =
                new FutureTask<>(() -> load.ticker(ticker).run(n -> n, n -> n));
        Thread.ofPlatform().daemon().start(running);
        return running;
    }

    @Test
    void usersThatHangAreLostAfterTheGrace() throws InterruptedException {
        LoadResult result = ClosedLoad.of(3, Duration.ZERO)
                .lasting(GRACE)
                .grace(GRACE)
                .run(
                        number -> {
                            hang(new CountDownLatch(1));
                            return number;
                        },
                        n -> n);

        assertThat(result.counts().lost()).isEqualTo(3);
    }

    @Test
    void theWarmUpIsNotCounted() throws InterruptedException {
        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .lasting(Duration.ofMillis(400))
                .warmUp(Duration.ofMillis(300))
                .run(n -> n, n -> n);

        assertThat(result.counts().offered()).isEqualTo(100);
        assertThat(result.response().count()).isEqualTo(100);
        assertThat(result.windowSeconds()).isEqualTo(0.1);
    }

    @Test
    void itsWatcherSeesItGoOn() throws InterruptedException {
        List<Progress> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch goesOn = new CountDownLatch(1);
        OpenLoad.at(Arrivals.constant(500))
                .lasting(Duration.ofMillis(300))
                .watch(Duration.ofMillis(20), progress -> {
                    seen.add(progress);
                    if (progress.recorded().counts().started() > 0) {
                        goesOn.countDown();
                    }
                })
                .run(n -> n, n -> n < 100 ? n : after(goesOn, n));

        assertThat(seen).isNotEmpty();
        assertThat(seen).extracting(Progress::planned).containsOnly(Duration.ofMillis(300));
        assertThat(seen.getLast().recorded().counts().started()).isPositive();
    }

    @Test
    void itsTimeLineCoversAllOfItTheWarmUpIncluded() throws InterruptedException {
        CountDownLatch looks = new CountDownLatch(4);
        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .lasting(Duration.ofMillis(1_500))
                .warmUp(Duration.ofMillis(500))
                .watch(Duration.ofMillis(100), progress -> looks.countDown())
                .run(n -> n, n -> n < 1_499 ? n : after(looks, n));
        TimeLine line = Objects.requireNonNull(result.timeLine());

        assertThat(line.warmUpSeconds()).isEqualTo(0.5);
        assertThat(line.at()).isNotEmpty().isSorted(); // a busy machine looks less often
        assertThat(line.at().getLast()).isGreaterThanOrEqualTo(1.4);
        // Times are rounded to 1 ms, and a busy machine may end all of them within 100 ms. The rate has no such sum:
        // its last
        // interval covers only the time until the end of the load.
        assertThat(total(line, "tps")).isCloseTo(1_500, within(20.0));
        assertThat(line.series())
                .containsKeys("rate", "lag_ms", "max_ms", "in_flight", "cpu_percent", "heap_mb", "threads");
        assertThat(result.slices()).hasSize(10);
        assertThat(result.slices().stream()
                        .mapToDouble(slice -> slice.get("count"))
                        .sum())
                .isEqualTo(1_000);
    }

    @Test
    void aLoadFollowsItsShape() throws InterruptedException {
        Shape shape = Shape.steps(List.of(1_000.0, 0.0, 3_000.0), Duration.ofMillis(100));
        LoadResult result = OpenLoad.at(Arrivals.even(shape))
                .lasting(Duration.ofMillis(300))
                .run(n -> n, n -> n);

        assertThat(result.counts().right()).isEqualTo(400);
        assertThat(result.load())
                .isEqualTo("open load, steps of 100 ms: 1000/s, 0/s, 3000/s, evenly spaced for 300 ms");
        assertThat(result.slices().get(4)).containsEntry("count", 0.0);
    }

    @Test
    void anotherProcessIsMeasuredBesideIt() throws InterruptedException {
        long pid = ProcessHandle.current().pid();
        CountDownLatch looks = new CountDownLatch(4);
        LoadResult result = OpenLoad.at(Arrivals.constant(1_000))
                .lasting(Duration.ofMillis(400))
                .watchProcess("gateway", pid)
                .watch(Duration.ofMillis(100), progress -> looks.countDown())
                .run(n -> n, n -> n < 399 ? n : after(looks, n));

        assertThat(result.process().children()).hasSize(1);
        assertThat(result.process().children().getFirst().name()).isEqualTo("gateway");
        assertThat(result.metrics()).containsKey("child_cpu_us_per_tx");
        assertThat(Objects.requireNonNull(result.timeLine()).series()).containsKey("child_cpu_percent");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenLoad.at(Arrivals.constant(1)).watchProcess("x", -1))
                .withMessageContaining("no process has the id -1");
    }

    @Test
    void oneSeedSendsTheSamePayloadsAsOftenAsItIsRun() throws InterruptedException {
        assertThat(sent(4)).hasSize(300).isEqualTo(sent(4)).isNotEqualTo(sent(5));
    }

    private static Set<String> sent(long seed) throws InterruptedException {
        Set<String> sent = ConcurrentHashMap.newKeySet();
        OpenLoad.at(Arrivals.poisson(5_000, seed))
                .count(300)
                .run(payment -> sent.add(payment.xml()), new PaymentXml(seed));
        return sent;
    }

    private static double total(TimeLine line, String key) {
        double sum = 0;
        double before = 0;
        List<@Nullable Double> values = Objects.requireNonNull(line.series().get(key));
        for (int i = 0; i < values.size(); i++) {
            sum += Objects.requireNonNull(values.get(i)) * (line.at().get(i) - before);
            before = line.at().get(i);
        }
        return sum;
    }

    @Test
    void aMistakeInTheRequestMakerStopsItWithOneLine() {
        OpenLoad load = OpenLoad.at(Arrivals.constant(1_000)).lasting(Duration.ofSeconds(30));

        assertThatIllegalStateException()
                .isThrownBy(() -> load.run(n -> n, n -> {
                    throw new IllegalArgumentException("no such field");
                }))
                .withMessageMatching("making the request failed at transaction \\d+: .*no such field");
    }

    @Test
    void aLoadWithoutBoundsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenLoad.at(Arrivals.constant(1)).run(n -> n, n -> n))
                .withMessageContaining("needs a duration");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpenLoad.at(Arrivals.constant(1))
                        .lasting(GRACE)
                        .warmUp(GRACE)
                        .run(n -> n, n -> n))
                .withMessageContaining("shorten it");
    }

    private static String ending(long number) throws Exception {
        return switch ((int) (number % 7)) {
            case 0 -> "ok";
            case 1 -> "no";
            case 2 -> throw new Rejected(Rejected.Cause.LIMIT, "all permits are in use");
            case 3 -> throw new Rejected(Rejected.Cause.BREAKER, "open");
            case 4 -> throw new Failed(Failed.Cause.CONNECT, "refused");
            case 5 -> throw new Unknown(Unknown.Cause.TIMEOUT, "no answer in 1 s");
            default -> throw new IOException("whatever");
        };
    }

    /** The number, once something has happened. */
    private static long after(CountDownLatch happened, long number) {
        try {
            happened.await();
            return number;
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void hang(CountDownLatch interrupted) throws InterruptedException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
    }
}
