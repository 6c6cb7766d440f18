package dev.penstock.lab.load;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * So many users, each of which starts a transaction, waits for its ending, thinks, and starts the next. When the service
 * slows down so does the load, so rate and latency are one fact told twice (rate = users / (latency + think time)); it
 * fits batch callers, and comparison with older measurements.
 */
public final class ClosedLoad extends Load<ClosedLoad> {
    /** The most users. */
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

    /** How long a user waits, anything between the two; each user draws from a stream of its own. */
    private record Wait(Duration least, Duration most, long seed) {
        static final Wait NONE = new Wait(Duration.ZERO, Duration.ZERO, 0);

        Wait {
            if (least.isNegative() || most.compareTo(least) < 0) {
                throw new IllegalArgumentException("a pause lasts 0 or more, at most not less than at least, not "
                        + Durations.words(least) + " to " + Durations.words(most));
            }
        }

        LongSupplier drawn(SplittableRandom random) {
            long from = Durations.nanos(least);
            long to = Durations.nanos(most);
            return from == to ? () -> from : () -> random.nextLong(from, to + 1);
        }

        String words() {
            return least.equals(most)
                    ? Durations.words(least)
                    : Durations.words(least) + " to " + Durations.words(most);
        }
    }

    /** The waits of one user. */
    private record Waits(LongSupplier begin, LongSupplier think, LongSupplier pause) {}

    /**
     * A load of so many users.
     *
     * @param users 1 to 100,000
     * @param think from an ending to the same user's next start; zero for none
     */
    public static ClosedLoad of(int users, Duration think) {
        if (users < 1 || users > MAX_USERS) {
            throw new IllegalArgumentException("a load has 1 to " + MAX_USERS + " users, not " + users);
        }
        if (think.isNegative()) {
            throw new IllegalArgumentException("a think time is not negative");
        }
        return new ClosedLoad(users, think);
    }

    /**
     * Lets a user whose transaction was rejected pause before it thinks, as people do and polite programs; otherwise users who
     * are rejected at once keep the machine busy with rejecting them. Each pause lasts anything between the two, so that those who
     * were rejected together do not come back together. Default: no pause.
     *
     * @param least 0 or more
     * @param most not less than {@code least}
     * @param seed the same seed, the same pauses of each user
     */
    public ClosedLoad pauseAfterRejection(Duration least, Duration most, long seed) {
        pause = new Wait(least, most, seed);
        return this;
    }

    /**
     * Lets a user think for anything between the two, another time after each ending.
     *
     * @param least 0 or more
     * @param most not less than {@code least}
     * @param seed the same seed, the same times of each user
     */
    public ClosedLoad thinking(Duration least, Duration most, long seed) {
        think = new Wait(least, most, seed);
        return this;
    }

    /**
     * Lets the users begin one by one, each at a random time, as callers do who know nothing of each other; users who begin at
     * the same moment come back at the same moment, again and again. Default: all begin at once.
     *
     * @param time within which all have begun; 0 or more
     * @param seed the same seed, the same times
     */
    public ClosedLoad beginningWithin(Duration time, long seed) {
        begin = new Wait(Duration.ZERO, time, seed);
        return this;
    }

    /**
     * Lets no more transactions start than a throttle does; what it holds back is in no time that is measured, so fewer than all
     * users are at work then. Default: as many as the users start.
     */
    public ClosedLoad throttledBy(Throttle most) {
        throttle = most;
        return this;
    }

    /**
     * How long users of this load waited for the throttle so far, all together and without the warm-up; others that the same throttle
     * holds back are not among them. Safe for many threads.
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
                    new Waits(begin.drawn(begins.split()), think.drawn(thinks.split()), pause.drawn(pauses.split()));
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

    @SuppressWarnings("ThreadPriorityCheck") // a service that never blocks would let the first users starve the others
    private void use(LoadRun<?, ?> run, AtomicLong sequence, Waits waits) {
        long intended = run.startAt() + waits.begin.getAsLong();
        while (!run.stopped() && intended - run.startAt() < lastingNanos()) {
            if (throttle != null) {
                intended = held(run, throttle, intended);
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

    /** When a user who wants to start at a reading may; that reading when it is not held back, though it may be late already. */
    private long held(LoadRun<?, ?> run, Throttle most, long intended) {
        long wanted = intended + Math.max(0, ticker.nanos() - intended);
        long place = most.place(wanted);
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
        return "closed load, " + users + " users" + (think.most.isZero() ? "" : " thinking " + think.words())
                + (pause.most.isZero() ? "" : " pausing " + pause.words() + " when rejected")
                + (begin.most.isZero() ? "" : " beginning within " + Durations.words(begin.most))
                + bounds();
    }
}
