package dev.penstock.lab.load;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * So many users, each of which starts a transaction, waits for its ending, thinks, and starts the next. When the service
 * slows down so does the load, so rate and latency are one fact told twice (rate = users / (latency + think time)); it
 * fits batch callers, and comparison with older measurements.
 */
public final class ClosedLoad extends Load<ClosedLoad> {
    /** The most users. */
    public static final int MAX_USERS = 100_000;

    private final int users;
    private final Duration think;
    private long leastPause;
    private long mostPause;
    private long pauseSeed;

    private ClosedLoad(int users, Duration think) {
        this.users = users;
        this.think = think;
    }

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
        if (least.isNegative() || most.compareTo(least) < 0) {
            throw new IllegalArgumentException("a pause lasts 0 or more, at most not less than at least, not "
                    + Durations.words(least) + " to " + Durations.words(most));
        }
        leastPause = Durations.nanos(least);
        mostPause = Durations.nanos(most);
        pauseSeed = seed;
        return this;
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
        SplittableRandom seeds = new SplittableRandom(pauseSeed);
        for (int i = 0; i < users; i++) {
            LongSupplier pauses = pauses(seeds.split());
            run.execute(() -> {
                try {
                    use(run, sequence, pauses);
                } finally {
                    if (left.decrementAndGet() == 0) {
                        run.noMoreStarts();
                    }
                }
            });
        }
    }

    private LongSupplier pauses(SplittableRandom random) {
        return mostPause == 0 ? () -> 0 : () -> random.nextLong(leastPause, mostPause + 1);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a service that never blocks would let the first users starve the others
    private void use(LoadRun<?, ?> run, AtomicLong sequence, LongSupplier pauses) {
        long intended = run.startAt();
        long thinkNanos = Durations.nanos(think);
        while (!run.stopped() && intended - run.startAt() < lastingNanos()) {
            while (!run.stopped() && intended - ticker.nanos() > 0) {
                ticker.parkUntil(intended);
            }
            long number = sequence.getAndIncrement();
            if (run.stopped() || number >= count) {
                return;
            }
            intended = run.transaction(number, intended, pauses) + thinkNanos;
            Thread.yield();
        }
    }

    @Override
    public String toString() {
        return "closed load, " + users + " users" + (think.isZero() ? "" : " thinking " + Durations.words(think))
                + (mostPause == 0
                        ? ""
                        : " pausing " + Durations.words(leastPause) + " to " + Durations.words(mostPause)
                                + " when rejected")
                + bounds();
    }
}
