package dev.penstock.jdbc.guard;

import dev.penstock.StateFile;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The learned idle and validation timeouts of a database, stored in the state file. Thread-safe. */
final class LearnedIdleTimeout {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedDataSource.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final IdleTimeoutEstimator idleTimeout;
    private final ValidationTimeout validationTimeout = new ValidationTimeout();
    private final StateFile state;
    private final String name;
    /** Read by every borrower without the lock. */
    private volatile long trusted;

    LearnedIdleTimeout(IdleTimeoutEstimator idleTimeout, StateFile state, String name) {
        this.idleTimeout = idleTimeout;
        this.state = state;
        this.name = name;
        this.trusted = idleTimeout.trusted();
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
            long before = idleTimeout.keepAliveAt();
            how.accept(idleTimeout);
            trusted = idleTimeout.trusted();
            if (!idleTimeout.isPinned()) {
                state.keep(name, idleTimeout.serialized());
            }
            if (isNotable(before, idleTimeout.keepAliveAt())) {
                LOG.info("{}: {}", name, idleTimeout.reason());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the change is worth a log line: more than a tenth. */
    private static boolean isNotable(long before, long after) {
        return before != after && (Math.max(before, after) == Long.MAX_VALUE || Math.abs(before - after) > before / 10);
    }

    void connected(long nanos) {
        withValidationTimeout(known -> {
            known.connected(nanos);
            return true;
        });
    }

    void answered(long nanos) {
        withValidationTimeout(known -> {
            known.answered(nanos);
            return true;
        });
    }

    <T> T withValidationTimeout(Function<ValidationTimeout, T> use) {
        lock.lock();
        try {
            return use.apply(validationTimeout);
        } finally {
            lock.unlock();
        }
    }

    <T> T withIdleTimeout(Function<IdleTimeoutEstimator, T> use) {
        lock.lock();
        try {
            return use.apply(idleTimeout);
        } finally {
            lock.unlock();
        }
    }
}
