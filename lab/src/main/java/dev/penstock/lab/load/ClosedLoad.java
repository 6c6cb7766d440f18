package dev.penstock.lab.load;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

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
        for (int i = 0; i < users; i++) {
            run.execute(() -> {
                try {
                    use(run, sequence);
                } finally {
                    if (left.decrementAndGet() == 0) {
                        run.noMoreStarts();
                    }
                }
            });
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // a service that never blocks would let the first users starve the others
    private void use(LoadRun<?, ?> run, AtomicLong sequence) {
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
            intended = run.transaction(number, intended) + thinkNanos;
            Thread.yield();
        }
    }

    @Override
    public String toString() {
        return "closed load, " + users + " users" + (think.isZero() ? "" : " thinking " + Durations.words(think))
                + bounds();
    }
}
