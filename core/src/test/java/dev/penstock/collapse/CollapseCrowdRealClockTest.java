package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Collapse;
import dev.penstock.Ticker;
import dev.penstock.collapse.Crowd.Ask;
import dev.penstock.collapse.Crowd.Reply;
import dev.penstock.flow.Flow;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A great many items on real cores with random failures, deadlines and cancellations: none is lost, none misassigned. */
class CollapseCrowdRealClockTest {
    /** Set this property to send more; the time allowed grows with it. */
    private static final String ITEMS = "penstock.collapse.items";

    private static final int USUAL = 300_000;
    private static final int CALLERS = 256;
    private static final int LEAST_PER_SECOND = 2_000;

    private final int items = Integer.getInteger(ITEMS, USUAL);
    private final AtomicInteger left = new AtomicInteger(items);

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void noneIsLostAndNoneMisassigned() throws Exception {
        long seed = System.nanoTime();
        Crowd crowd = new Crowd(Ticker.SYSTEM, seed, items, 1_000);
        Flow<Ask, Reply> flow = Flow.named("prices")
                .concurrency(8)
                .to(Collapse.intoEndings(crowd.target(works()))
                        .max(32)
                        .budget(0.2)
                        .same(ask -> ask.topic() < 0 ? null : ask.topic()));
        List<Thread> callers = IntStream.range(0, CALLERS)
                .mapToObj(number -> Thread.ofVirtual().start(() -> askOften(crowd, flow, new Random(seed + number))))
                .toList();
        cancelSome(callers, crowd, new Random(~seed));
        Accounting account = flow.drain(Duration.ofMinutes(10));
        crowd.compare();
        assertThat(crowd.wrongs).as("seed %d", seed).isEmpty();
        assertThat(crowd.ended()).isEqualTo(items);
        assertThat(account.isSettled()).as(account.sentence()).isTrue();
        assertThat(account.offered()).isEqualTo(items);
        assertThat(account.answered()).isEqualTo(crowd.answered.sum()).isPositive();
        assertThat(account.rejected()).isEqualTo(crowd.rejected.sum()).isPositive();
        assertThat(account.failed()).isEqualTo(crowd.failed.sum()).isPositive();
        assertThat(account.unknown()).isEqualTo(crowd.unknown.sum()).isPositive();
        assertThat(Together.batches(flow).mean()).as("they do travel together").isGreaterThan(2);
        Together.await(
                () -> Together.batches(flow).waiting() == 0
                        && Together.batches(flow).out() == 0,
                "nothing is left over");
    }

    private static IntConsumer works() {
        return die -> LockSupport.parkNanos(die == 0 ? 3_000_000 : 20_000);
    }

    private void askOften(Crowd crowd, Flow<Ask, Reply> flow, Random random) {
        while (left.getAndDecrement() > 0) {
            boolean unused = Thread.interrupted();
            crowd.ask(flow, random, Duration.ofMillis(4));
        }
    }

    /** Until all have ended; in vain if the time that so many may take is up. */
    private void cancelSome(List<Thread> callers, Crowd crowd, Random random) throws InterruptedException {
        long start = System.nanoTime();
        long most = TimeUnit.SECONDS.toNanos(60 + items / LEAST_PER_SECOND);
        while (callers.stream().anyMatch(Thread::isAlive)) {
            callers.get(random.nextInt(CALLERS)).interrupt();
            LockSupport.parkNanos(100_000);
            assertThat(System.nanoTime() - start)
                    .as("%d of %d have ended; somebody waits for ever", crowd.ended(), items)
                    .isLessThan(most);
        }
        for (Thread caller : callers) {
            caller.join();
        }
    }
}
