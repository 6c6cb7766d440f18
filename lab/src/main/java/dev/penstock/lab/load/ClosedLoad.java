package dev.penstock.lab.load;

import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closed model: a fixed number of users. Each starts a transaction, waits for its end, thinks, and starts the next one.
 * A slower service therefore gets less load, and rate and latency are coupled (rate = users / (latency + think time)).
 * Suits batch callers, and comparison with older measurements.
 *
 * <p>B. Schroeder, A. Wierman and M. Harchol-Balter, "Open Versus Closed: A Cautionary Tale", NSDI 2006.
 */
public final class ClosedLoad extends Load<ClosedLoad> {
    /** The maximum number of users. */
    public static final int MAX_USERS = 100_000;

    private final int users;
    private Wait think;
    private Wait pause = Wait.NONE;
    private Wait begin = Wait.NONE;

    private final LongAdder heldBack = new LongAdder();

    private @Nullable Throttle throttle;

    private ClosedLoad(int users, Duration think) {
        this.users = users;
        this.think = new Wait(think, think, 0);
    }

    /** A random wait between two bounds. Each user has its own random stream. */
    private record Wait(Duration least, Duration most, long seed) {
        static final Wait NONE = new Wait(Duration.ZERO, Duration.ZERO, 0);

        Wait {
            if (least.isNegative() || most.compareTo(least) < 0) {
                throw new IllegalArgumentException("a pause lasts 0 or more, at most not less than at least, not "
                        + Durations.format(least) + " to " + Durations.format(most));
            }
        }

        LongSupplier random(SplittableRandom random) {
            long from = Durations.nanos(least);
            long to = Durations.nanos(most);
            return from == to ? () -> from : () -> random.nextLong(from, to + 1);
        }

        String format() {
            return least.equals(most)
                    ? Durations.format(least)
                    : Durations.format(least) + " to " + Durations.format(most);
        }
    }

    /** The waits of one user. */
    private record Waits(LongSupplier begin, LongSupplier think, LongSupplier pause) {}

    /**
     * A load of this many users.
     *
     * @param users 1 to 100,000
     * @param think time from the end of a transaction to the same user's next start; zero for none
     */
    public static ClosedLoad of(int users, Duration think) {
        if (think.isNegative()) {
            throw new IllegalArgumentException("a think time is not negative");
        }
        return new ClosedLoad(Ranges.within("the users of a load", users, 1, MAX_USERS), think);
    }

    /**
     * Makes a user pause after a rejection, before it thinks, as real callers do. Without a pause, users that are
     * rejected immediately keep the machine busy with rejections. The pause is random, so that users rejected together
     * do not return together. Default: no pause.
     *
     * @param least 0 or more
     * @param most at least {@code least}
     * @param seed the same seed gives each user the same pauses
     */
    public ClosedLoad pauseAfterRejection(Duration least, Duration most, long seed) {
        pause = new Wait(least, most, seed);
        return this;
    }

    /**
     * Makes the think time random.
     *
     * @param least 0 or more
     * @param most at least {@code least}
     * @param seed the same seed gives each user the same think times
     */
    public ClosedLoad thinking(Duration least, Duration most, long seed) {
        think = new Wait(least, most, seed);
        return this;
    }

    /**
     * Starts each user at a random time, as independent callers do. Users that start at the same moment keep returning
     * at the same moment. Default: all start immediately.
     *
     * @param time within which all users have started; 0 or more
     * @param seed the same seed gives the same times
     */
    public ClosedLoad beginningWithin(Duration time, long seed) {
        begin = new Wait(Duration.ZERO, time, seed);
        return this;
    }

    /**
     * Limits the start rate. Throttled time is in no measured time, so fewer than all users are active then. Default:
     * no limit.
     */
    public ClosedLoad throttledBy(Throttle most) {
        throttle = most;
        return this;
    }

    /**
     * The total time that users of this load waited for the throttle, without the warm-up. Waits of other loads on the
     * same throttle are not included. Thread-safe.
     */
    public Duration heldBack() {
        return Duration.ofNanos(heldBack.sum());
    }

    @Override
    ClosedLoad self() {
        return this;
    }

    @Override
    boolean steady() {
        return true;
    }

    @Override
    void drive(LoadRun<?, ?> run) {
        AtomicLong sequence = new AtomicLong();
        AtomicInteger left = new AtomicInteger(users);
        SplittableRandom begins = new SplittableRandom(begin.seed);
        SplittableRandom thinks = new SplittableRandom(think.seed);
        SplittableRandom pauses = new SplittableRandom(pause.seed);
        for (int i = 0; i < users; i++) {
            Waits waits =
                    new Waits(begin.random(begins.split()), think.random(thinks.split()), pause.random(pauses.split()));
            run.execute(() -> {
                try {
                    use(run, sequence, waits);
                } finally {
                    if (left.decrementAndGet() == 0) {
                        run.noMoreStarts();
                    }
                }
            });
        }
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // with a service that never blocks, the first users would starve the others
    private void use(LoadRun<?, ?> run, AtomicLong sequence, Waits waits) {
        long intended = run.startAt() + waits.begin.getAsLong();
        while (!run.stopped() && intended - run.startAt() < lastingNanos()) {
            if (throttle != null) {
                intended = throttled(run, throttle, intended);
                if (intended - run.startAt() >= lastingNanos()) {
                    return;
                }
            }
            while (!run.stopped() && intended - ticker.nanos() > 0) {
                ticker.parkUntil(intended);
            }
            long number = sequence.getAndIncrement();
            if (run.stopped() || number >= count) {
                return;
            }
            intended = run.transaction(number, intended, waits.pause) + waits.think.getAsLong();
            Thread.yield();
        }
    }

    /**
     * The time at which a user may start; equals {@code intended}, even if that is in the past, when it is
     * not throttled.
     */
    private long throttled(LoadRun<?, ?> run, Throttle most, long intended) {
        long wanted = intended + Math.max(0, ticker.nanos() - intended);
        long place = most.reserve(wanted);
        if (place == wanted) {
            return intended;
        }
        long from = Math.max(wanted - run.startAt(), Durations.nanos(warmUp));
        long to = Math.min(place - run.startAt(), lastingNanos());
        heldBack.add(Math.max(0, to - from));
        return place;
    }

    @Override
    public String toString() {
        return "closed load, " + users + " users" + (think.most.isZero() ? "" : " thinking " + think.format())
                + (pause.most.isZero() ? "" : " pausing " + pause.format() + " when rejected")
                + (begin.most.isZero() ? "" : " starting within " + Durations.format(begin.most))
                + bounds();
    }
}
