package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.penstock.Busy;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Deadline;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ModelCheck;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No permit is lost or doubled, whoever comes, waits, gives up or is interrupted at the same time. */
@Tag("full")
class LimitConcurrencyTest {
    private static final int PERMITS = 3;

    private final ManualTicker ticker = new ManualTicker();
    private final Limit limit = Limits.fixed(PERMITS, 8, Duration.ofMillis(1), ticker);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger mostInside = new AtomicInteger();
    private final AtomicInteger passed = new AtomicInteger();
    private final AtomicInteger rejected = new AtomicInteger();

    @Test
    void noPermitIsLostOrDoubledUnderTimeoutsAndInterrupts() throws Exception {
        List<Thread> callers = IntStream.range(0, 16)
                .mapToObj(seed -> Thread.ofVirtual().start(() -> come(new Random(seed), 3_000)))
                .toList();
        joinUnderInterrupts(callers, new Random(99));
        assertThat(mostInside.get()).isLessThanOrEqualTo(PERMITS);
        assertThat(limit.queue.out()).isZero();
        assertThat(limit.queue.waiting()).isZero();
        assertThat(passed.get() + rejected.get()).isEqualTo(16 * 3_000);
        assertThat(passed.get()).isPositive();
        assertThat(rejected.get()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noPermitIsLostWhateverTheTargetThrows(boolean paced) throws Exception {
        limit.target().pinRate(paced ? 10_000.0 : null, 0);
        Service<Integer, Busy> target = Limits.<Integer, Busy>filter(limit).around(LimitConcurrencyTest::misbehave);
        List<Thread> callers = IntStream.range(0, 16)
                .mapToObj(seed -> Thread.ofVirtual().start(() -> callOften(target, new Random(seed))))
                .toList();
        joinUnderInterrupts(callers, new Random(98));
        assertThat(limit.queue.out()).isZero();
        assertThat(limit.queue.waiting()).isZero();
        assertThat(limit.headroom()).isEqualTo(PERMITS);
        assertThat(passed.get()).isPositive();
        assertThat(passed.get() + rejected.get()).isEqualTo(16 * 500);
    }

    private void callOften(Service<Integer, Busy> target, Random random) {
        for (int call = 0; call < 500; call++) {
            boolean unused = Thread.interrupted();
            try {
                Deadline.in(Duration.ofSeconds(1), ticker).call(() -> target.call(random.nextInt(6)));
                passed.incrementAndGet();
            } catch (Rejected e) {
                rejected.incrementAndGet();
            } catch (Throwable thrown) {
                passed.incrementAndGet();
            }
        }
    }

    private static Busy misbehave(int how) throws Exception {
        Thread.yield();
        switch (how) {
            case 0 -> throw new StackOverflowError();
            case 1 -> throw new IllegalStateException("a bug");
            case 2 -> throw new Unknown(Unknown.Cause.TIMEOUT, "late");
            case 3 -> {
                return () -> {
                    throw new IllegalStateException("a bug of the answer");
                };
            }
            case 4 -> {
                return () -> {
                    throw new StackOverflowError();
                };
            }
            default -> {
                return () -> true;
            }
        }
    }

    /** Waits for callers, while the clock moves and each of them is interrupted now and then. */
    private void joinUnderInterrupts(List<Thread> callers, Random random) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread clock = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                ticker.advance(Duration.ofNanos(random.nextInt(300_000)));
                callers.get(random.nextInt(callers.size())).interrupt();
                Thread.yield();
            }
        });
        for (Thread caller : callers) {
            caller.join();
        }
        stop.set(true);
        clock.join();
    }

    private void come(Random random, int times) {
        for (int time = 0; time < times; time++) {
            boolean unused = Thread.interrupted();
            try {
                if (random.nextInt(4) == 0) {
                    abandon(random);
                    continue;
                }
                Permit permit = Permit.of(limit);
                mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
                if (random.nextInt(4) == 0) {
                    Thread.yield();
                }
                inside.decrementAndGet();
                passed.incrementAndGet();
                permit.success();
            } catch (Rejected e) {
                rejected.incrementAndGet();
            }
        }
    }

    /** Takes a place, and gives it up, at once or a little later, or twice. */
    private void abandon(Random random) throws Rejected {
        Reservation place = limit.admit("request", Long.MAX_VALUE);
        if (random.nextBoolean()) {
            Thread.yield();
            place.close();
        }
        place.close();
        passed.incrementAndGet();
    }

    private static final Ticker STANDING = new Ticker() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void parkUntil(long nanos) {
            LockSupport.park();
        }
    };

    private static WaitQueue queue(int permits, int length) {
        QueuePolicy rules = QueuePolicy.of(QueueSettings.automatic().withLength(length));
        return new WaitQueue(new Permits(() -> permits, false), rules, STANDING, () -> 0);
    }

    /** Enters as a limit does, and leaves again; whether it got a permit. */
    private static boolean pass(WaitQueue queue, long allowed, int urgency) {
        if (!queue.tryAcquire()) {
            QueueEntry me = new QueueEntry(queue, 0, allowed, urgency);
            try {
                queue.enqueue(me);
            } catch (Rejected full) {
                return false;
            }
            me.await();
            if (!me.transition(QueueEntry.State.GRANTED, QueueEntry.State.USED)) {
                return false;
            }
        }
        queue.release(0);
        return true;
    }

    /** The lock-free way through: taking and giving back, model-checked against every interleaving in reach. */
    public static class Doors {
        private final WaitQueue queue = queue(2, 0);

        @Operation
        public boolean take() {
            return queue.tryAcquire();
        }

        @Operation
        public void giveBack() {
            queue.release(0);
        }

        @Operation
        public int out() {
            return queue.out();
        }
    }

    /**
     * The ways through the line and out of it. In every interleaving in reach whoever waits is woken (a lost wake-up shows as
     * a hang), and in the end all permits are back.
     */
    public static class Line {
        private final WaitQueue queue = queue(1, 8);

        /** Waits for its turn, and is served or, being the least urgent, shed. */
        @Operation
        public void pass(@Param(gen = IntGen.class, conf = "6:7") int urgency) {
            LimitConcurrencyTest.pass(queue, QueuePolicy.NO_DEADLINE, urgency);
        }

        /** Has no time to wait, but may be served before it sees that. */
        @Operation
        public void runOutOfTime() {
            LimitConcurrencyTest.pass(queue, 0, 6);
        }

        /** Takes a place, and gives it up unused. */
        @Operation
        public void abandon() {
            QueueEntry place = new QueueEntry(queue, 0, QueuePolicy.NO_DEADLINE, 6);
            try {
                queue.enqueue(place);
                place.close();
            } catch (Rejected full) {
                // Then there is nothing to give up.
            }
        }

        @Validate
        public void allPermitsAreBack() {
            if (queue.out() != 0 || queue.waiting() != 0) {
                throw new IllegalStateException(queue.out() + " permits are out, " + queue.waiting() + " wait");
            }
        }
    }

    @Test
    @Tag("full-only")
    void noWakeUpAndNoPermitIsLost() {
        ModelCheck.options()
                .iterations(12)
                .invocationsPerIteration(1_000)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                // Used under the lock only.
                .addGuarantee(forClasses("dev.penstock.limit.UrgencyQueue")
                        .allMethods()
                        .treatAsAtomic())
                .sequentialSpecification(EverybodyPasses.class)
                .check(Line.class);
    }

    /** Passing, and giving up, tell nothing. */
    public static class EverybodyPasses {
        public void pass(int urgency) {
            // Nothing stays.
        }

        public void runOutOfTime() {
            // Nothing stays.
        }

        public void abandon() {
            // Nothing stays.
        }
    }

    @Test
    @Tag("full-only")
    void takingAndGivingBackIsLinearizable() {
        ModelCheck.options()
                .iterations(12)
                .invocationsPerIteration(1_000)
                .threads(2)
                .actorsPerThread(3)
                .sequentialSpecification(Counted.class)
                .check(Doors.class);
    }

    /** What the doors do when one thread at a time uses them. */
    public static class Counted {
        private int out;

        public boolean take() {
            if (out == 2) {
                return false;
            }
            out++;
            return true;
        }

        public void giveBack() {
            out--;
        }

        public int out() {
            return out;
        }
    }
}
