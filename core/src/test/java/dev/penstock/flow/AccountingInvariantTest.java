package dev.penstock.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.kit.LeakCheck;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The accounting invariant, under random targets, stages, faults and interrupts, against what each caller saw for itself. */
class AccountingInvariantTest {
    private static final int CALLERS = 8;
    private static final int CALLS = 60;

    private static final class Seen {
        final AtomicLong answered = new AtomicLong();
        final AtomicLong rejected = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
        final AtomicLong unknown = new AtomicLong();
    }

    @Property(tries = 60)
    void whatTheFlowCountsIsWhatItsCallersSaw(
            @ForAll @IntRange(min = 1, max = 12) int limit,
            @ForAll @IntRange(max = 4) int queue,
            @ForAll @IntRange(min = 1, max = 4) int attempts,
            @ForAll boolean breaker,
            @ForAll long seed)
            throws Exception {
        ManualTicker ticker = new ManualTicker(seed);
        FlowBuilder<String> builder = Flow.named("payments")
                .ticker(ticker)
                .deadline(Duration.ofMillis(40))
                .retry(Retry.byKey((String request) -> request)
                        .attempts(attempts)
                        .backoff(Duration.ofMillis(1), Duration.ofMillis(4)))
                .concurrency(limit)
                .queue(Duration.ofMillis(5))
                .queueLength(queue);
        Flow<String, String> flow = (breaker ? builder.breaker() : builder).to(moody(ticker, new Random(seed)));
        Seen seen = new Seen();
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> Thread.ofVirtual().start(() -> callOften(flow, seen)))
                .toList();
        runClock(ticker, flow, callers, new Random(~seed));
        assertThat(flow.accounting().isSettled()).isTrue();
        assertCountsAgree(flow.accounting(), seen);
        LeakCheck.assertNothingHeld(flow);
        if (!breaker) {
            assertThat(flow.headroom()).isEqualTo(limit);
        }
        assertThat(ticker.parked()).isZero();
    }

    private void runClock(ManualTicker ticker, Flow<?, ?> flow, List<Thread> callers, Random random)
            throws InterruptedException {
        boolean alive = true;
        while (alive) {
            ticker.advance(Duration.ofMillis(1 + random.nextInt(3)));
            if (random.nextInt(10) == 0) {
                callers.get(random.nextInt(CALLERS)).interrupt();
            }
            Accounting now = flow.accounting();
            assertThat(now.isBalanced()).as(now.sentence()).isTrue();
            Thread.yield();
            alive = callers.stream().anyMatch(Thread::isAlive);
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private static void assertCountsAgree(Accounting account, Seen seen) {
        assertThat(account.offered()).isEqualTo(CALLERS * CALLS);
        assertThat(account.answered()).isEqualTo(seen.answered.get());
        assertThat(account.rejected()).isEqualTo(seen.rejected.get());
        assertThat(account.failed()).isEqualTo(seen.failed.get());
        assertThat(account.unknown()).isEqualTo(seen.unknown.get());
    }

    private static void callOften(Flow<String, String> flow, Seen seen) {
        for (int call = 0; call < CALLS; call++) {
            boolean unused = Thread.interrupted();
            try {
                flow.call("key-" + call);
                seen.answered.incrementAndGet();
            } catch (Rejected e) {
                seen.rejected.incrementAndGet();
            } catch (Failed e) {
                seen.failed.incrementAndGet();
            } catch (Unknown e) {
                seen.unknown.incrementAndGet();
            } catch (StackOverflowError e) {
                // Counted as unknown: it does not tell what became of the request.
                seen.unknown.incrementAndGet();
            } catch (Exception e) {
                throw new AssertionError("a flow throws endings only", e);
            }
        }
    }

    /** Answers, waits, rejects, fails, loses, and makes mistakes, by the throw of a die. */
    private static Service<String, String> moody(ManualTicker ticker, Random random) {
        return request -> {
            int die;
            synchronized (random) {
                die = random.nextInt(13);
            }
            return switch (die) {
                case 0 -> throw new Rejected(Rejected.Cause.POOL, "none free");
                case 1 -> throw new Failed(Failed.Cause.CONNECT, "refused");
                case 2 -> throw new Failed(Failed.Cause.REFUSED, "no");
                case 3 -> throw new Unknown(Unknown.Cause.CLOSED, "lost");
                case 4 -> throw new IllegalStateException("a bug");
                case 12 -> throw new StackOverflowError();
                case 5, 6, 7 -> {
                    long until = ticker.nanos() + 3_000_000;
                    while (ticker.nanos() - until < 0) {
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                        ticker.parkUntil(until);
                    }
                    yield request;
                }
                default -> request;
            };
        };
    }
}
