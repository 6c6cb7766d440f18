package dev.penstock.http.pool;

import dev.penstock.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Learns at which idle age the peer, or something on the way, ends connections: ages and times go in, an age to retire at
 * comes out. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>Two kinds of killers. A server with a keep-alive timeout closes aloud, always at the same age, whenever that comes: so
 * closes at nearly the same age at different moments are a timeout, and many closes at one moment are not (a restart, a
 * deployment). A connection is retired a little before. A middlebox forgets in silence: the request goes out and nothing
 * comes. One such death is enough, for each one costs a transaction its whole timeout; from then on nothing is kept for
 * longer than the longest age that was seen alive.
 *
 * <p>Ages below {@link #LEAST} teach nothing: a peer that closes right after its answers is on its way down.
 *
 * <p>For one thread at a time.
 */
final class IdleAgeEstimator {
    /** The shortest age that is taken for a timeout, and the least that is learned. */
    static final long LEAST = 250_000_000L;

    /** Nothing on the way is taken to forget sooner than that where nothing was seen alive for as long. */
    private static final long SHORTEST_SILENT = 1_000_000_000L;

    private static final int KEPT = 16;
    private static final int ENOUGH = 3;
    /** How far the ages of one timeout are apart: the watch is some tens of ms late, and timers of servers are coarse. */
    private static final double ALIKE = 0.1;

    private static final long ALIKE_NANOS = 100_000_000L;
    /** How far apart two closes have to be to be two moments. They are told in about the order in which they came. */
    private static final long MOMENT = 100_000_000L;

    private record Close(long age, long at) {}

    private final List<Close> closes = new ArrayList<>();
    private long alive;
    private int contradictions;
    private long retireAt = Long.MAX_VALUE;
    private String reason = "nothing was seen to end idle connections yet";

    /**
     * A connection ended while idle, and said so.
     *
     * @param age how long it had been idle, nanoseconds
     * @param at when, by the ticker
     */
    void closed(long age, long at) {
        if (age < LEAST) {
            return;
        }
        if (closes.size() == KEPT) {
            closes.removeFirst();
        }
        closes.add(new Close(age, at));
        List<Close> alike =
                closes.stream().filter(close -> isAlike(close.age, age)).toList();
        if (moments(alike) >= ENOUGH) {
            long timeout = alike.stream().mapToLong(Close::age).min().orElse(age);
            retire(
                    Math.max(LEAST, timeout - Math.max(timeout / 10, ALIKE_NANOS)),
                    "the peer closes what lies idle for " + Durations.words(rounded(timeout)) + ", seen " + alike.size()
                            + " times");
        }
    }

    /** A connection that had been idle for that long answered. */
    void answered(long age) {
        alive = Math.max(alive, age);
    }

    /** A connection that had been idle for that long gave no answer and no sign, while others did. */
    void died(long age) {
        if (age < LEAST) {
            return;
        }
        if (age <= alive && ++contradictions < ENOUGH) {
            // An older one has answered: the peer was slow. When it happens again, something on the way has changed.
            return;
        }
        long safe = age <= alive ? age / 2 : Math.max(alive, Math.min(age / 2, SHORTEST_SILENT));
        alive = Math.min(alive, safe);
        contradictions = 0;
        retire(
                Math.max(LEAST, safe),
                String.format(
                        Locale.ROOT,
                        "something on the way forgets connections in silence: one was dead after %s idle; the longest seen alive is %s",
                        Durations.words(rounded(age)),
                        Durations.words(rounded(alive))));
    }

    /** The idle age in nanoseconds at which to retire a connection; {@link Long#MAX_VALUE} while nothing is known. */
    long retireAt() {
        return retireAt;
    }

    /** Why, in one sentence. */
    String reason() {
        return reason;
    }

    private void retire(long age, String why) {
        if (age < retireAt) {
            retireAt = age;
            reason = why;
        }
    }

    private static boolean isAlike(long age, long other) {
        return Math.abs(age - other) <= Math.max((long) (ALIKE * other), ALIKE_NANOS);
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
