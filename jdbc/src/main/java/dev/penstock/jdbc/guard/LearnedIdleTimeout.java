package dev.penstock.jdbc.guard;

import dev.penstock.state.StateFile;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is known of the way to a database, for many threads, and kept in the state file. */
final class LearnedIdleTimeout {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedDataSource.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final IdleTimeoutEstimator age;
    private final ValidationTimeout bound = new ValidationTimeout();
    private final StateFile state;
    private final String name;
    /** Read on the way of every caller. */
    private volatile long trusted;

    LearnedIdleTimeout(IdleTimeoutEstimator age, StateFile state, String name) {
        this.age = age;
        this.state = state;
        this.name = name;
        this.trusted = age.trusted();
    }

    long trusted() {
        return trusted;
    }

    void alive(long idle) {
        if (idle > trusted) {
            change(known -> known.alive(idle));
        }
    }

    void died(long idle, long at) {
        change(known -> known.died(idle, at));
    }

    void closed(long idle, long at) {
        change(known -> known.closed(idle, at));
    }

    private void change(Consumer<IdleTimeoutEstimator> how) {
        lock.lock();
        try {
            long before = age.keepAliveAt();
            how.accept(age);
            trusted = age.trusted();
            if (!age.isPinned()) {
                state.keep(name, age.kept());
            }
            if (isAnother(before, age.keepAliveAt())) {
                LOG.info("{}: {}", name, age.reason());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether it is worth a line in the log: not the last percent. */
    private static boolean isAnother(long before, long after) {
        return before != after && (Math.max(before, after) == Long.MAX_VALUE || Math.abs(before - after) > before / 10);
    }

    void connected(long nanos) {
        withBound(known -> {
            known.connected(nanos);
            return true;
        });
    }

    void answered(long nanos) {
        withBound(known -> {
            known.answered(nanos);
            return true;
        });
    }

    <T> T withBound(Function<ValidationTimeout, T> use) {
        lock.lock();
        try {
            return use.apply(bound);
        } finally {
            lock.unlock();
        }
    }

    <T> T withAge(Function<IdleTimeoutEstimator, T> use) {
        lock.lock();
        try {
            return use.apply(age);
        } finally {
            lock.unlock();
        }
    }
}
