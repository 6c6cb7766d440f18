package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.World;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Callers who come back when they were told to, to a target that serves so many a second. */
class RetryScheduleTest {
    private static final int PERMITS = 20;
    private static final long HOLD = 10 * World.MILLI;
    private static final double CAPACITY = PERMITS * (double) World.SECOND / HOLD;
    private static final int ROOM = 100;

    private final World world = new World();
    private boolean full;
    private final QueuePolicy rules = new QueuePolicy(QueueSettings.automatic(), HOLD, HOLD, PERMITS);
    private final RetrySchedule retries = new RetrySchedule(world.now(), new SplittableRandom(1));
    private long servedAt;
    private int answers;
    private int calls;

    /** When a request that is rejected now should return. */
    private long advice() {
        int ahead = full ? ROOM : waiting();
        return retries.nanos(world.now(), rules.waitNanos(ahead, PERMITS), rules.waitNanos(1, PERMITS));
    }

    private int waiting() {
        return (int) (Math.max(0, servedAt - world.now()) * CAPACITY / World.SECOND);
    }

    /** Calls again at once after an answer, and after a rejection when it was told to. */
    private void call() {
        calls++;
        int waiting = waiting();
        if (waiting < ROOM) {
            servedAt = Math.max(servedAt, world.now()) + (long) (World.SECOND / CAPACITY);
            world.at(servedAt + HOLD, () -> {
                answers++;
                call();
            });
        } else {
            world.in(advice(), this::call);
        }
    }

    private void run(int seconds) {
        answers = 0;
        calls = 0;
        world.runUntil(world.now() + seconds * World.SECOND);
    }

    @Test
    void whoObeysComesBackAsOftenAsCanBeServed() {
        for (int i = 0; i < 50_000; i++) {
            world.at(i, this::call);
        }
        run(10);
        run(20);
        assertThat(answers / 20.0).isGreaterThan(0.98 * CAPACITY);
        // Who has an answer calls again at once, too.
        assertThat(calls / 20.0).isLessThan(2.5 * CAPACITY);
    }

    @Test
    void aFewAreToldToComeBackWhenTheLineIsServed() {
        for (int i = 0; i < 2 * ROOM; i++) {
            world.at(i, this::call);
        }
        run(10);
        assertThat(answers / 10.0).isGreaterThan(0.98 * CAPACITY);
    }

    @Test
    void nobodyIsToldToComeBackInMoreThanAMinuteAndAHalf() {
        full = true;
        for (int i = 0; i < 300_000; i++) {
            assertThat(advice()).isLessThanOrEqualTo(90 * World.SECOND);
        }
    }

    /** Nobody came back: an hour later the line of then is all that counts. */
    @Test
    void whatWasRejectedLongAgoCountsNoMore() {
        full = true;
        for (int i = 0; i < 10_000; i++) {
            long _ = advice();
        }
        world.runUntil(3_600 * World.SECOND);
        assertThat(advice()).isLessThanOrEqualTo(150 * World.MILLI);
    }
}
