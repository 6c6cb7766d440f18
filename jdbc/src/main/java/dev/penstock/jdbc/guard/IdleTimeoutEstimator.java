package dev.penstock.jdbc.guard;

import dev.penstock.text.Durations;
import org.jspecify.annotations.Nullable;

/**
 * Learns the idle age at which the network or the server ends connections. Input: the ages at which connections were
 * found alive or dead. Output: the age at which idle connections are kept alive. No I/O.
 *
 * <h2>Design note</h2>
 *
 * <p>A death proves no idle timeout. A restart, an administrator, or a firewall that has lost its table end connections
 * of any age, and the ones opened since then look as if only old ones died. So a death only raises a suspicion: from
 * then on connections are kept alive at half of that age, which is cheap if wrong. An extra connection, which no caller
 * uses, is then left idle for as long, and decides: if it is alive, nothing is learned; if it is dead, and another
 * connection that was open all the time is alive thanks to its use (the witness), the age is learned, and stored.
 * Without a witness the path may have been lost again, and the test is repeated. So repeated losses are never learned,
 * however often they occur. A learned age is tested again from time to time, and forgotten when it is outlived.
 *
 * <p>Without a suspicion, connections are kept alive at growing ages, {@value #STEP} times the longest one survived, up
 * to {@link #USUAL}: most firewalls wait for longer than that, and nothing dies at all.
 *
 * <p>Thread-safe; its monitor keeps several calls together.
 */
final class IdleTimeoutEstimator {
    /** Keep-alive without knowledge, in nanoseconds. */
    static final long USUAL = 25_000_000_000L;

    /** The shortest age that can be learned, and the first keep-alive, in nanoseconds. */
    static final long MIN_AGE = 500_000_000L;

    static final long UNKNOWN = Long.MAX_VALUE;

    private static final double STEP = 1.33;

    private final boolean pinned;
    private long alive = MIN_AGE;
    private long suspected = UNKNOWN;
    private long learned = UNKNOWN;

    IdleTimeoutEstimator() {
        this.pinned = false;
    }

    private IdleTimeoutEstimator(long age) {
        this.pinned = true;
        this.learned = age;
    }

    /** With a configured idle timeout, which is not learned. */
    static IdleTimeoutEstimator pinned(long nanos) {
        return new IdleTimeoutEstimator(nanos);
    }

    /** Parses the result of {@link #serialized()}; anything else counts as unknown. */
    static IdleTimeoutEstimator parse(@Nullable String serialized) {
        IdleTimeoutEstimator known = new IdleTimeoutEstimator();
        if (serialized != null && serialized.matches("kills=\\d{9,18}")) {
            known.learned = Math.max(MIN_AGE, Long.parseLong(serialized.substring("kills=".length())));
        }
        return known;
    }

    /** What was learned, as one line for {@link #parse}. */
    synchronized String serialized() {
        return "kills=" + (learned == UNKNOWN ? 0 : learned);
    }

    /** A connection answered after it had been idle for that long. */
    synchronized void alive(long age) {
        alive = Math.max(alive, age);
        if (age >= suspected) {
            suspected = UNKNOWN;
        }
        if (age >= learned && !pinned) {
            learned = UNKNOWN;
        }
    }

    /** A connection was found dead after it had been idle for that long. */
    synchronized void died(long age) {
        if (!pinned && age < learned) {
            suspected = Math.min(suspected, Math.max(MIN_AGE, age));
        }
    }

    /**
     * The extra connection was found dead.
     *
     * @param age how long it had been idle
     * @param witnessed whether another connection that was open all the time is alive
     */
    synchronized void testDied(long age, boolean witnessed) {
        if (witnessed && !pinned) {
            learned = Math.min(learned, Math.max(MIN_AGE, age));
            suspected = UNKNOWN;
        }
    }

    /** Whether an idle timeout is known. */
    synchronized boolean isKnown() {
        return learned != UNKNOWN;
    }

    /** The idle age at which a connection is kept alive by a round trip, in nanoseconds. */
    synchronized long keepAliveAt() {
        long below = Math.min(suspected, learned);
        if (below == UNKNOWN) {
            return Math.min(USUAL, (long) (alive * STEP));
        }
        return pinned ? below / 2 : Math.min(USUAL, below / 2);
    }

    /** The idle age for the extra connection, in nanoseconds; {@link #UNKNOWN} when there is nothing to decide. */
    synchronized long testAt() {
        return pinned ? UNKNOWN : Math.min(suspected, learned);
    }

    synchronized boolean isSuspected() {
        return suspected != UNKNOWN;
    }

    boolean isPinned() {
        return pinned;
    }

    /** The idle timeout as text. */
    synchronized String value() {
        return isKnown() ? words(learned) : "none seen";
    }

    /** The reason, in one sentence. */
    synchronized String reason() {
        String every = "keep-alive every " + words(keepAliveAt());
        if (pinned) {
            return "configured; " + every;
        }
        if (isKnown()) {
            return "a connection idle for " + words(learned) + " was dead, younger ones were not; " + every;
        }
        return (isSuspected()
                        ? "a connection idle for " + words(suspected) + " was dead, which is being tested; "
                        : "no idle timeout seen; ")
                + every;
    }

    private static String words(long nanos) {
        long step = nanos >= 10_000_000_000L ? 1_000_000_000L : 10_000_000L;
        return Durations.format((nanos + step / 2) / step * step);
    }
}
