package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Collapse;
import dev.penstock.Retry;
import dev.penstock.collapse.Crowd.Ask;
import dev.penstock.collapse.Crowd.Reply;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.LeakCheck;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Each caller gets one ending, its own, under random batches, faults, deadlines and interrupts. */
class CollapseInvariantTest {
    private static final int CALLERS = 24;
    private static final int CALLS = 40;

    @Property(tries = 25)
    void everybodyGetsOneEndingAndItIsHisOwn(
            @ForAll @IntRange(min = 1, max = 9) int max,
            @ForAll @IntRange(max = 3) int permits,
            @ForAll boolean same,
            @ForAll boolean keyed,
            @ForAll boolean scoped,
            @ForAll boolean guarded,
            @ForAll long seed)
            throws Exception {
        ManualTicker ticker = new ManualTicker(seed);
        Crowd crowd = new Crowd(ticker, seed, CALLERS * CALLS, 6);
        Collapse<Ask, Reply> collapse =
                collapse(crowd, keyed, works(ticker)).max(max).budget(0.5);
        collapse = same ? collapse.same(ask -> ask.topic() < 0 ? null : ask.topic()) : collapse;
        collapse = scoped ? collapse.per(ask -> ask.topic() % 2) : collapse;
        FlowBuilder<Object> builder = Flow.named("prices").ticker(ticker);
        builder = permits > 0
                ? builder.concurrency(permits).queue(Duration.ofMillis(20)).queueLength(3)
                : builder;
        builder = guarded ? builder.breaker().retry(Retry.whenNotSent()) : builder;
        Flow<Ask, Reply> flow = builder.to(collapse);
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> Thread.ofVirtual().start(() -> askOften(crowd, flow, new Random(seed + number))))
                .toList();
        runClock(ticker, flow, callers, new Random(~seed));
        if (!guarded) {
            int headroom = permits > 0 ? permits * max : Integer.MAX_VALUE;
            Together.await(() -> flow.headroom() == headroom, "all permits are back");
        }
        assertAllIsWell(crowd, flow);
        ticker.advance(Duration.ofMinutes(1)); // past the last deadline that anything waits for
        Together.await(() -> ticker.parked() == 0, "no thread waits any more");
    }

    private static Collapse<Ask, Reply> collapse(Crowd crowd, boolean keyed, IntConsumer works) {
        return keyed
                ? CollapseKeyedTest.keyed(crowd.keyed(works), Ask::key, Reply::key)
                : Collapse.intoEndings(crowd.target(works));
    }

    private static IntConsumer works(ManualTicker ticker) {
        return millis -> {
            long until = ticker.nanos() + millis * 1_000_000L;
            boolean interrupted = false;
            while (ticker.nanos() - until < 0) {
                interrupted |= Thread.interrupted(); // or it would not park, and would keep the one core from the clock
                ticker.parkUntil(until);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static void askOften(Crowd crowd, Flow<Ask, Reply> flow, Random random) {
        for (int call = 0; call < CALLS; call++) {
            boolean unused = Thread.interrupted();
            crowd.ask(flow, random, Duration.ofMillis(30));
        }
    }

    private static void runClock(ManualTicker ticker, Flow<?, ?> flow, List<Thread> callers, Random random)
            throws InterruptedException {
        while (callers.stream().anyMatch(Thread::isAlive)
                || Together.batches(flow).out() > 0
                || flow.strayCalls() > 0) {
            ticker.advance(Duration.ofNanos(random.nextInt(2_000_000)));
            if (random.nextInt(10) == 0) {
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

    private static void assertAllIsWell(Crowd crowd, Flow<?, ?> flow) {
        Accounting account = flow.drain(Duration.ZERO);
        crowd.compare();
        assertThat(crowd.wrongs).isEmpty();
        assertThat(crowd.ended()).isEqualTo(CALLERS * CALLS);
        assertThat(account.isSettled()).isTrue();
        assertThat(account.offered()).isEqualTo(CALLERS * CALLS);
        assertThat(account.answered()).isEqualTo(crowd.answered.sum());
        assertThat(account.rejected()).isEqualTo(crowd.rejected.sum());
        assertThat(account.failed()).isEqualTo(crowd.failed.sum());
        assertThat(account.unknown()).isEqualTo(crowd.unknown.sum());
        Together.await(() -> Together.batches(flow).waiting() == 0, "no batch waits that nobody is in");
        LeakCheck.assertNothingHeld(flow);
    }
}
