package dev.penstock.http.pool;

import dev.penstock.text.Durations;

/**
 * How long connections may be idle: the given or default time, or the time that the peer announces with each answer if that is
 * shorter (RFC 9112 section 9.3, {@code Keep-Alive: timeout}). Unless the time is given, also at most what {@link
 * IdleAgeEstimator} learns. Thread-safe.
 */
final class IdleLifetime {
    private final ConnectionPool.Limits limits;
    /** Guarded by its own monitor. */
    private final IdleAgeEstimator ages = new IdleAgeEstimator();

    private volatile long learned = Long.MAX_VALUE;
    private volatile long longestAlive;
    private volatile long lastAnswerAt;
    /** The idle age of a connection that was silent; 0 for none. */
    private volatile long suspectAge;

    private volatile long renewedAt;
    private volatile boolean renewed;

    IdleLifetime(ConnectionPool.Limits limits, long now) {
        this.limits = limits;
        this.lastAnswerAt = now;
    }

    /** When to close a connection that becomes idle now, apart from what is learned later. */
    long until(Connection connection, long now, long keep) {
        long until = keep == Long.MAX_VALUE ? now + limits.idle() : now + Math.min(keep, limits.idle());
        if (limits.maxAge() == Long.MAX_VALUE) {
            return until;
        }
        long old = connection.openedAt() + limits.maxAge();
        return old - until < 0 ? old : until;
    }

    /** Makes all connections opened before now unusable. */
    void renew(long now) {
        renewedAt = now;
        renewed = true;
    }

    /** When to close an idle connection. */
    long retireAt(Connection connection) {
        if (renewed && connection.openedAt() - renewedAt < 0) {
            return connection.idleSince();
        }
        long own = connection.retireAt();
        long age = learned;
        if (age == Long.MAX_VALUE) {
            return own;
        }
        long at = connection.idleSince() + age;
        return at - own < 0 ? at : own;
    }

    /** The current idle timeout in nanoseconds. */
    long timeout() {
        return Math.min(limits.idle(), learned);
    }

    String reason() {
        if (limits.idleIsPinned()) {
            return "given";
        }
        synchronized (ages) {
            return ages.reason()
                    + (learned < limits.idle() ? "" : "; the maximum is " + Durations.format(limits.idle()));
        }
    }

    /** Records an answer on a connection. Returns true if the learned time changed. */
    boolean answered(Connection connection, long now) {
        lastAnswerAt = now;
        long age = connection.idleAge();
        if (age > longestAlive) {
            longestAlive = age;
            synchronized (ages) {
                ages.answered(age);
            }
        }
        return suspectAge > 0 && !connection.isReused() && confirmSuspect();
    }

    private boolean confirmSuspect() {
        synchronized (ages) {
            long age = suspectAge;
            suspectAge = 0;
            if (age > 0) {
                ages.died(age);
            }
            return update();
        }
    }

    /**
     * Records that a reused connection got no answer within its time limit. If other connections got answers meanwhile, the
     * connection was dead. Otherwise the peer may be down, and an answer on the next new connection decides.
     */
    void unanswered(Connection connection) {
        suspectAge = connection.idleAge();
        if (lastAnswerAt - connection.leasedAt() > 0) {
            boolean _ = confirmSuspect();
        }
    }

    /** Records that a connection was closed while idle. Returns true if the learned time changed. */
    boolean ended(Connection connection, long now) {
        synchronized (ages) {
            ages.closed(now - connection.idleSince(), now);
            return update();
        }
    }

    private boolean update() {
        long age = limits.idleIsPinned() ? Long.MAX_VALUE : ages.retireAt();
        boolean changed = age != learned;
        learned = age;
        return changed;
    }
}
