package dev.penstock.http.pool;

import dev.penstock.Durations;

/**
 * For how long connections lie idle: what is given, what the peer says with each answer (RFC 9112 section 9.3, {@code
 * Keep-Alive: timeout}), and what {@link IdleAgeEstimator} learns. Safe for many threads.
 */
final class IdleLifetime {
    private final PoolLimits limits;
    /** Guards itself. */
    private final IdleAgeEstimator ages = new IdleAgeEstimator();

    private volatile long learned = Long.MAX_VALUE;
    private volatile long alive;
    private volatile long lastAnswerAt;
    private volatile long suspect;
    private volatile long renewedAt;
    private volatile boolean renewed;

    IdleLifetime(PoolLimits limits, long now) {
        this.limits = limits;
        this.lastAnswerAt = now;
    }

    /** When a connection that becomes idle is to be retired, whatever is learned from now on. */
    long until(Connection connection, long now, long keep) {
        long until = keep == Long.MAX_VALUE ? now + limits.idle() : now + Math.min(keep, limits.idle());
        if (limits.maxAge() == Long.MAX_VALUE) {
            return until;
        }
        long old = connection.openedAt() + limits.maxAge();
        return old - until < 0 ? old : until;
    }

    /** Connections that were opened before now are not used again. */
    void renew(long now) {
        renewedAt = now;
        renewed = true;
    }

    /** When to retire one that is idle. */
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

    long most() {
        return Math.min(limits.idle(), learned);
    }

    String reason() {
        if (limits.idleIsPinned()) {
            return "given";
        }
        synchronized (ages) {
            return ages.reason()
                    + (learned < limits.idle() ? "" : "; it may be " + Durations.words(limits.idle()) + " at most");
        }
    }

    /** It brought an answer. True when something was learned. */
    boolean answered(Connection connection, long now) {
        lastAnswerAt = now;
        long age = connection.idleAge();
        if (age > alive) {
            alive = age;
            synchronized (ages) {
                ages.answered(age);
            }
        }
        return suspect > 0 && !connection.isReused() && convicted();
    }

    private boolean convicted() {
        synchronized (ages) {
            long age = suspect;
            suspect = 0;
            if (age > 0) {
                ages.died(age);
            }
            return isNew();
        }
    }

    /**
     * It had been idle and brought nothing in all its time. When others brought answers meanwhile it was dead; otherwise the
     * peer may be, and what the next new connection brings tells which.
     */
    void unanswered(Connection connection) {
        suspect = connection.idleAge();
        if (lastAnswerAt - connection.takenAt() > 0) {
            boolean _ = convicted();
        }
    }

    /** It ended while idle. True when something was learned. */
    boolean ended(Connection connection, long now) {
        synchronized (ages) {
            ages.closed(now - connection.idleSince(), now);
            return isNew();
        }
    }

    private boolean isNew() {
        long age = limits.idleIsPinned() ? Long.MAX_VALUE : ages.retireAt();
        boolean is = age != learned;
        learned = age;
        return is;
    }
}
