package dev.penstock.http.pool;

import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Learns at which idle age the peer, or a middlebox on the path, drops connections. Input: idle ages and times; output: an age
 * at which to close idle connections. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>There are two cases. A server with a keep-alive timeout closes connections visibly (FIN or RST), always at the same idle
 * age. So closes at nearly the same age at different moments indicate a timeout, while many closes at one moment do not (a
 * restart, a deployment). Connections are closed a little before that age. A middlebox (NAT, firewall) drops its state
 * silently: the request is sent and nothing comes back. One such case is enough, because each costs a transaction its whole
 * timeout; from then on no connection is kept idle for longer than the longest idle age seen alive.
 *
 * <p>Ages below {@link #MIN_AGE} are ignored: a peer that closes right after its answers is probably shutting down.
 *
 * <p>Not thread-safe.
 */
final class IdleAgeEstimator {
    /** The shortest age that is considered a timeout, and the lower bound of the learned age: 250 ms. */
    static final long MIN_AGE = 250_000_000L;

    /** Lower bound of a silent timeout, unless a longer age was seen alive: 1 s. */
    private static final long MIN_SILENT_AGE = 1_000_000_000L;

    private static final int MAX_REMEMBERED = 16;
    private static final int MIN_SAMPLES = 3;
    /** Tolerance between ages of the same timeout: detection lags by tens of ms, and servers use coarse timers. */
    private static final double TOLERANCE = 0.1;

    private static final long TOLERANCE_NANOS = 100_000_000L;
    /** Closes further apart than this (100 ms) are different moments. They are reported roughly in order. */
    private static final long MOMENT = 100_000_000L;

    private record Close(long age, long at) {}

    private final List<Close> closes = new ArrayList<>();
    private long longestAlive;
    private int contradictions;
    private long retireAt = Long.MAX_VALUE;
    private String reason = "no drops of idle connections observed yet";

    /**
     * Records a connection that was visibly closed while idle.
     *
     * @param age how long it had been idle, nanoseconds
     * @param at when, by the ticker
     */
    void closed(long age, long at) {
        if (age < MIN_AGE) {
            return;
        }
        if (closes.size() == MAX_REMEMBERED) {
            closes.removeFirst();
        }
        closes.add(new Close(age, at));
        List<Close> similar =
                closes.stream().filter(close -> isSimilar(close.age, age)).toList();
        if (moments(similar) >= MIN_SAMPLES) {
            long timeout = similar.stream().mapToLong(Close::age).min().orElse(age);
            retire(
                    Math.max(MIN_AGE, timeout - Math.max(timeout / 10, TOLERANCE_NANOS)),
                    "the peer closes connections idle for " + Durations.format(rounded(timeout)) + ", seen "
                            + similar.size() + " times");
        }
    }

    /** Records a connection that answered after it had been idle for this long. */
    void answered(long age) {
        longestAlive = Math.max(longestAlive, age);
    }

    /** Records a connection that was silent after it had been idle for this long, while other connections got answers. */
    void died(long age) {
        if (age < MIN_AGE) {
            return;
        }
        if (age <= longestAlive && ++contradictions < MIN_SAMPLES) {
            // A connection idle for longer has answered, so the peer was probably slow. Repeated, the path has changed.
            return;
        }
        long safe = age <= longestAlive ? age / 2 : Math.max(longestAlive, Math.min(age / 2, MIN_SILENT_AGE));
        longestAlive = Math.min(longestAlive, safe);
        contradictions = 0;
        retire(
                Math.max(MIN_AGE, safe),
                String.format(
                        Locale.ROOT,
                        "a firewall or NAT drops idle connections silently: one was dead after %s idle; the longest seen alive is %s",
                        Durations.format(rounded(age)),
                        Durations.format(rounded(longestAlive))));
    }

    /** The idle age in nanoseconds at which to close a connection; {@link Long#MAX_VALUE} while unknown. */
    long retireAt() {
        return retireAt;
    }

    /** The reason, one sentence. */
    String reason() {
        return reason;
    }

    private void retire(long age, String why) {
        if (age < retireAt) {
            retireAt = age;
            reason = why;
        }
    }

    private static boolean isSimilar(long age, long other) {
        return Math.abs(age - other) <= Math.max((long) (TOLERANCE * other), TOLERANCE_NANOS);
    }

    private static int moments(List<Close> closes) {
        int moments = closes.isEmpty() ? 0 : 1;
        for (int i = 1; i < closes.size(); i++) {
            moments += closes.get(i).at - closes.get(i - 1).at > MOMENT ? 1 : 0;
        }
        return moments;
    }

    private static long rounded(long nanos) {
        return (nanos + 5_000_000) / 10_000_000 * 10_000_000;
    }
}
