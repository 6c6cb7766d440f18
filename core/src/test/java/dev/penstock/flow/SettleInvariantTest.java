package dev.penstock.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Answered;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Settle;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kit.LeakCheck;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Under random faults, of the target and of the status probe, no transaction takes effect twice, each ends once, and its
 * ending is true: what was answered took effect, and what was rejected or failed never did.
 */
class SettleInvariantTest {
    private static final int CALLERS = 6;
    private static final int CALLS = 40;
    private static final Duration AFTER = Duration.ofMillis(4);

    @Property(tries = 80)
    void nothingIsAppliedTwiceAndEveryEndingIsTrue(
            @ForAll @IntRange(min = 1, max = 5) int attempts,
            @ForAll @IntRange(min = 1, max = 3) int queries,
            @ForAll boolean repeats,
            @ForAll boolean interrupts,
            @ForAll long seed)
            throws Exception {
        ManualTicker ticker = new ManualTicker(seed);
        Book book = new Book(ticker, new Random(seed));
        FlowBuilder<Object> builder = Flow.named("payments")
                .ticker(ticker)
                .deadline(Duration.ofMillis(60))
                .concurrency(4);
        if (repeats) {
            builder.retry(Retry.byKey((String id) -> id.startsWith("keyed") ? id : null)
                    .attempts(attempts)
                    .backoff(Duration.ofMillis(1), Duration.ofMillis(3)));
        }
        Flow<String, String> flow =
                builder.to(book::pay, Settle.by(book::status).after(AFTER).queries(queries));
        Map<String, String> endings = new ConcurrentHashMap<>();
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> Thread.ofVirtual().start(() -> callOften(number, flow, endings)))
                .toList();
        runClock(ticker, flow, callers, interrupts, new Random(~seed));
        assertThat(flow.accounting().isSettled()).isTrue();
        assertThat(flow.accounting().offered()).isEqualTo(CALLERS * CALLS);
        assertThat(endings).hasSize(CALLERS * CALLS);
        LeakCheck.assertNothingHeld(flow);
        assertThat(flow.headroom()).isEqualTo(4);
        assertThat(ticker.parked()).isZero();
        ticker.advance(Duration.ofSeconds(1));
        endings.forEach(book::check);
    }

    private static void runClock(
            ManualTicker ticker, Flow<?, ?> flow, List<Thread> callers, boolean interrupts, Random random)
            throws InterruptedException {
        while (callers.stream().anyMatch(Thread::isAlive)) {
            ticker.advance(Duration.ofMillis(1));
            if (interrupts && random.nextInt(20) == 0) {
                callers.get(random.nextInt(CALLERS)).interrupt();
            }
            Accounting now = flow.accounting();
            assertThat(now.isBalanced()).as(now.sentence()).isTrue();
            Thread.yield();
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private static void callOften(int caller, Flow<String, String> flow, Map<String, String> endings) {
        for (int call = 0; call < CALLS; call++) {
            boolean unused = Thread.interrupted();
            String id = (call % 2 == 0 ? "keyed-" : "bare-") + caller + "-" + call;
            String ending;
            try {
                ending = flow.call(id);
            } catch (Unanswered e) {
                ending = e.ending();
            } catch (Exception e) {
                throw new AssertionError("a flow throws endings only", e);
            }
            assertThat(endings.put(id, ending)).isNull();
        }
    }

    /** A target that keeps books, and takes two requests of one key as one, but for those without a key. */
    private static final class Book {
        private final ManualTicker ticker;
        private final Random random;
        private final Map<String, Integer> applied = new HashMap<>();
        private final Map<String, Long> underWay = new HashMap<>();

        Book(ManualTicker ticker, Random random) {
            this.ticker = ticker;
            this.random = random;
        }

        synchronized String pay(String id) throws Exception {
            switch (random.nextInt(10)) {
                case 0 -> throw new Rejected(Rejected.Cause.POOL, "none free");
                case 1 -> throw new Failed(Failed.Cause.CONNECT, "refused");
                case 2 -> throw new Unknown(Unknown.Cause.CLOSED, "lost on the way there");
                case 3 -> {
                    apply(id);
                    throw new Unknown(Unknown.Cause.CLOSED, "lost on the way back");
                }
                case 4 -> {
                    // Still on its way when its connection has ended, and there before the first question.
                    arrive(id);
                    underWay.put(id, ticker.nanos() + random.nextLong(AFTER.toNanos()));
                    throw new Unknown(Unknown.Cause.TIMEOUT, "late");
                }
                case 5 -> {
                    apply(id);
                    throw new IllegalStateException("a bug");
                }
                default -> {
                    apply(id);
                    return "answered";
                }
            }
        }

        synchronized Settled<String> status(String id) throws Exception {
            arrive(id);
            return switch (random.nextInt(6)) {
                case 0 -> new Settled.StillUnknown<>("busy");
                case 1 -> throw new IllegalStateException("a bug");
                case 2 -> throw new Unknown(Unknown.Cause.TIMEOUT, "late");
                default -> applied.containsKey(id) ? new Answered<>("answered") : new Settled.NotThere<>();
            };
        }

        private void apply(String id) {
            arrive(id);
            applied.merge(id, 1, (before, more) -> id.startsWith("keyed") ? before : before + more);
        }

        private void arrive(String id) {
            Long at = underWay.get(id);
            if (at != null && at - ticker.nanos() <= 0) {
                underWay.remove(id);
                applied.merge(id, 1, (before, more) -> id.startsWith("keyed") ? before : before + more);
            }
        }

        synchronized void check(String id, String ending) {
            arrive(id);
            int times = applied.getOrDefault(id, 0);
            assertThat(times).as(id + " " + ending).isLessThanOrEqualTo(1);
            switch (ending) {
                case "answered" -> assertThat(times).as(id).isEqualTo(1);
                case "rejected", "failed" ->
                    assertThat(times).as(id + " " + ending).isZero();
                default -> assertThat(ending).isEqualTo("unknown");
            }
        }
    }
}
