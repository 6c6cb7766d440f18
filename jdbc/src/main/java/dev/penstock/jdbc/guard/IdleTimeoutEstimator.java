package dev.penstock.jdbc.guard;

import dev.penstock.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Learns at which idle age the way to a database kills connections: what was found alive or dead at which age goes in; when
 * to keep alive, when to look before use and when to test comes out. Pure.
 *
 * <h2>Design note</h2>
 *
 * <p>Two numbers say all: the longest age seen alive, {@code alive}, and the shortest seen dead, {@code dead}. What kills
 * lies between. Up to {@code alive} a connection needs no look; at half of {@code dead} it is kept alive.
 *
 * <p><b>The frontier.</b> As long as nothing died, one connection is tested each time the idle ones get {@value #STEP} times
 * as old as any was seen alive. So the killer is met by a test, not by a caller; the two numbers are never further apart than
 * that factor, so half of {@code dead} is safe; and a pool that rests for an hour pays some thirty tests for that.
 *
 * <p><b>Two kinds of killers</b>, as with idle connections over HTTP. Who forgets in silence is believed at the first death:
 * each costs a caller a whole look. Who closes aloud is seen before use, and may have closed for any reason, such as a
 * restart; so it is believed after {@value #ENOUGH} closes at nearly one age, at different moments.
 *
 * <p><b>Contradictions.</b> One that answers at an age at which another was dead takes the death back: the way has changed,
 * or the death was a slow answer. One that is dead at an age at which others lived is believed the {@value #ENOUGH}rd time
 * within ten minutes.
 *
 * <p>For one thread at a time.
 */
final class IdleTimeoutEstimator {
    /** Up to this age a connection counts as alive before anything is known, nanoseconds. */
    static final long TRUSTED_AT_FIRST = 500_000_000L;

    /** How much older than any seen alive a connection is when it is tested. */
    static final double STEP = 1.33;

    /** The longest age that is tested, nanoseconds: nobody keeps connections for longer. */
    static final long LONGEST = 7_200_000_000_000L;

    private static final long SHORTEST = 100_000_000L;
    private static final int ENOUGH = 3;
    private static final int KEPT = 16;
    private static final double ALIKE = 0.1;
    private static final long MOMENT = 500_000_000L;
    private static final long LASTING = 600_000_000_000L;
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final Pattern KEPT_AS = Pattern.compile("alive=(\\d{1,18}) dead=(\\d{1,18}) deaths=(\\d{1,9})");

    private record Close(long age, long at) {}

    private final boolean pinned;
    private final List<Close> closes = new ArrayList<>();
    private long alive = TRUSTED_AT_FIRST;
    private long dead = UNKNOWN;
    private int deaths;
    private int contradictions;
    private long contradictedAt;
    private boolean aloud;

    IdleTimeoutEstimator() {
        this.pinned = false;
    }

    private IdleTimeoutEstimator(long dead) {
        this.pinned = true;
        this.dead = dead;
        this.alive = dead / 4 * 3;
    }

    /** What kills at an age that somebody knows, and need not be learned. */
    static IdleTimeoutEstimator pinned(long nanos) {
        return new IdleTimeoutEstimator(nanos);
    }

    /** What {@link #kept()} gave; anything else counts as nothing known. */
    static IdleTimeoutEstimator from(@Nullable String kept) {
        IdleTimeoutEstimator known = new IdleTimeoutEstimator();
        Matcher read = kept == null ? null : KEPT_AS.matcher(kept);
        if (read == null || !read.matches()) {
            return known;
        }
        long alive = Long.parseLong(read.group(1));
        long dead = Long.parseLong(read.group(2));
        if (dead == 0) {
            known.alive = Math.clamp(alive, TRUSTED_AT_FIRST, LONGEST);
        } else if (dead >= SHORTEST && alive < dead) {
            known.alive = alive;
            known.dead = dead;
            known.deaths = Integer.parseInt(read.group(3));
        }
        return known;
    }

    /** One line from which {@link #from} knows the same. It changes only when something was learned. */
    String kept() {
        return "alive=" + alive + " dead=" + (dead == UNKNOWN ? 0 : dead) + " deaths=" + deaths;
    }

    /** A connection that had been idle for that long answered. */
    void alive(long age) {
        if (pinned || age <= alive) {
            return;
        }
        alive = Math.min(age, LONGEST);
        if (age >= dead) {
            dead = UNKNOWN;
            deaths = 0;
        }
    }

    /**
     * A connection gave no answer, while the way worked.
     *
     * @param age how long it had been idle, nanoseconds
     * @param at when, by the ticker
     */
    void died(long age, long at) {
        if (pinned || age < SHORTEST) {
            return;
        }
        if (age <= alive) {
            contradictions = at - contradictedAt < LASTING ? contradictions + 1 : 1;
            contradictedAt = at;
            if (contradictions < ENOUGH) {
                return;
            }
            alive = age / 4 * 3;
            deaths = 0;
        }
        contradictions = 0;
        aloud = false;
        deaths++;
        dead = Math.min(dead, age);
    }

    /**
     * A connection was closed while idle, and said so.
     *
     * @param age how long it had been idle, nanoseconds
     * @param at when, by the ticker
     */
    void closed(long age, long at) {
        if (pinned || age < SHORTEST) {
            return;
        }
        if (closes.size() == KEPT) {
            closes.removeFirst();
        }
        closes.add(new Close(age, at));
        List<Close> alike = closes.stream()
                .filter(close -> Math.abs(close.age - age) <= ALIKE * age)
                .toList();
        if (moments(alike) >= ENOUGH) {
            aloud = true;
            deaths = alike.size();
            dead = Math.min(dead, alike.stream().mapToLong(Close::age).min().orElse(age));
            alive = Math.min(alive, dead / 10 * 9);
        }
    }

    private static int moments(List<Close> closes) {
        int moments = 1;
        for (int i = 1; i < closes.size(); i++) {
            moments += closes.get(i).at - closes.get(i - 1).at > MOMENT ? 1 : 0;
        }
        return moments;
    }

    /** Whether anything on the way is known to kill. */
    boolean kills() {
        return dead != UNKNOWN;
    }

    /** The age up to which a connection is handed out without a look, nanoseconds. */
    long trusted() {
        return alive;
    }

    /** The age at which a connection is kept alive by a round trip, nanoseconds; huge when nothing kills. */
    long keepAliveAt() {
        return kills() ? Math.max(SHORTEST / 2, dead / 2) : UNKNOWN;
    }

    /** The age at which one connection is tested, nanoseconds; huge when that is not wanted any more. */
    long frontier() {
        return kills() || alive >= LONGEST ? UNKNOWN : (long) Math.ceil(alive * STEP);
    }

    /** Whether it was given, and is not learned. */
    boolean isPinned() {
        return pinned;
    }

    /** What kills, for people to read. */
    String value() {
        return kills() ? words(dead) : "none seen";
    }

    /** Why, in one sentence. */
    String reason() {
        if (pinned) {
            return "given; keeping alive every " + words(keepAliveAt());
        }
        if (!kills()) {
            return alive <= TRUSTED_AT_FIRST
                    ? "nothing was seen to end idle connections yet"
                    : "idle connections were alive after " + words(alive);
        }
        return String.format(
                Locale.ROOT,
                "%d connection%s idle >= %s %s%s; keeping alive every %s",
                deaths,
                deaths == 1 ? "" : "s",
                words(dead),
                deaths == 1 ? "was " : "were ",
                aloud ? "closed by the peer" : "dead",
                words(keepAliveAt()));
    }

    private static String words(long nanos) {
        long step = nanos >= 10_000_000_000L ? 1_000_000_000L : 10_000_000L;
        return Durations.words((nanos + step / 2) / step * step);
    }
}
