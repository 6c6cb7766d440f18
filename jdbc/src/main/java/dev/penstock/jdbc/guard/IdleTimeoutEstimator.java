package dev.penstock.jdbc.guard;

import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Learns the idle age at which the network or the server drops connections. Input: the ages at which connections were
 * found alive or dead. Output: the ages for keeping alive, for validation before use, and for tests. No I/O.
 *
 * <h2>Design note</h2>
 *
 * <p>Two numbers are kept: the longest age seen alive, {@code alive}, and the shortest seen dead, {@code dead}. The
 * idle timeout lies between them. Up to {@code alive} a connection needs no validation; at half of {@code dead} it is
 * kept alive.
 *
 * <p><b>Tests.</b> As long as nothing was found dead, one connection is tested each time the idle ones reach {@value
 * #STEP} times the longest age seen alive. So the timeout is found by a test, not by a caller; the two numbers never
 * differ by more than that factor, so half of {@code dead} is safe; and a pool that is unused for an hour pays some
 * thirty tests.
 *
 * <p><b>Two kinds of idle timeouts</b>, as for idle HTTP connections. A silent drop is believed at the first death,
 * since each one costs a caller a full validation timeout. A close by the peer is visible before use and may have any
 * reason, such as a restart; it is believed after {@value #ENOUGH} closes at nearly the same age, at different times.
 *
 * <p><b>Contradictions.</b> A connection that answers at an age at which another was found dead invalidates that death:
 * the network has changed, or the death was a slow answer. A connection found dead at an age at which others were alive
 * is believed the {@value #ENOUGH}rd time within ten minutes.
 *
 * <p>Not thread-safe.
 */
final class IdleTimeoutEstimator {
    /** The idle age up to which a connection is trusted before anything was measured, in nanoseconds. */
    static final long INITIAL_TRUSTED = 500_000_000L;

    /** The factor between the longest age seen alive and the age of the next test. */
    static final double STEP = 1.33;

    /** The longest age that is tested, in nanoseconds (2 h). */
    static final long MAX_AGE = 7_200_000_000_000L;

    private static final long MIN_AGE = 100_000_000L;
    private static final int ENOUGH = 3;
    private static final int MAX_CLOSES = 16;
    private static final double SIMILARITY = 0.1;
    private static final long SAME_TIME = 500_000_000L;
    private static final long CONTRADICTION_WINDOW = 600_000_000_000L;
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final Pattern FORMAT = Pattern.compile("alive=(\\d{1,18}) dead=(\\d{1,18}) deaths=(\\d{1,9})");

    private record Close(long age, long at) {}

    private final boolean pinned;
    private final List<Close> closes = new ArrayList<>();
    private long alive = INITIAL_TRUSTED;
    private long dead = UNKNOWN;
    private int deaths;
    private int contradictions;
    private long contradictedAt;
    private boolean closedByPeer;

    IdleTimeoutEstimator() {
        this.pinned = false;
    }

    private IdleTimeoutEstimator(long dead) {
        this.pinned = true;
        this.dead = dead;
        this.alive = dead / 4 * 3;
    }

    /** With a configured idle timeout, which is not learned. */
    static IdleTimeoutEstimator pinned(long nanos) {
        return new IdleTimeoutEstimator(nanos);
    }

    /** Parses the result of {@link #serialized()}; anything else counts as unknown. */
    static IdleTimeoutEstimator parse(@Nullable String serialized) {
        IdleTimeoutEstimator known = new IdleTimeoutEstimator();
        Matcher read = serialized == null ? null : FORMAT.matcher(serialized);
        if (read == null || !read.matches()) {
            return known;
        }
        long alive = Long.parseLong(read.group(1));
        long dead = Long.parseLong(read.group(2));
        if (dead == 0) {
            known.alive = Math.clamp(alive, INITIAL_TRUSTED, MAX_AGE);
        } else if (dead >= MIN_AGE && alive < dead) {
            known.alive = alive;
            known.dead = dead;
            known.deaths = Integer.parseInt(read.group(3));
        }
        return known;
    }

    /** The state as one line for {@link #parse}. It changes only when something was learned. */
    String serialized() {
        return "alive=" + alive + " dead=" + (dead == UNKNOWN ? 0 : dead) + " deaths=" + deaths;
    }

    /**
     * A connection answered.
     *
     * @param age how long it had been idle, in nanoseconds
     */
    void alive(long age) {
        if (pinned || age <= alive) {
            return;
        }
        alive = Math.min(age, MAX_AGE);
        if (age >= dead) {
            dead = UNKNOWN;
            deaths = 0;
        }
    }

    /**
     * A connection did not answer, although the database was reachable.
     *
     * @param age how long it had been idle, in nanoseconds
     * @param at the time, by the ticker
     */
    void died(long age, long at) {
        if (pinned || age < MIN_AGE) {
            return;
        }
        if (age <= alive) {
            contradictions = at - contradictedAt < CONTRADICTION_WINDOW ? contradictions + 1 : 1;
            contradictedAt = at;
            if (contradictions < ENOUGH) {
                return;
            }
            alive = age / 4 * 3;
            deaths = 0;
        }
        contradictions = 0;
        closedByPeer = false;
        deaths++;
        dead = Math.min(dead, age);
    }

    /**
     * A connection was closed by the peer while idle.
     *
     * @param age how long it had been idle, in nanoseconds
     * @param at the time, by the ticker
     */
    void closed(long age, long at) {
        if (pinned || age < MIN_AGE) {
            return;
        }
        if (closes.size() == MAX_CLOSES) {
            closes.removeFirst();
        }
        closes.add(new Close(age, at));
        List<Close> similar = closes.stream()
                .filter(close -> Math.abs(close.age - age) <= SIMILARITY * age)
                .toList();
        if (distinctTimes(similar) >= ENOUGH) {
            closedByPeer = true;
            deaths = similar.size();
            dead = Math.min(dead, similar.stream().mapToLong(Close::age).min().orElse(age));
            alive = Math.min(alive, dead / 10 * 9);
        }
    }

    private static int distinctTimes(List<Close> closes) {
        int distinctTimes = 1;
        for (int i = 1; i < closes.size(); i++) {
            distinctTimes += closes.get(i).at - closes.get(i - 1).at > SAME_TIME ? 1 : 0;
        }
        return distinctTimes;
    }

    /** Whether an idle timeout is known. */
    boolean kills() {
        return dead != UNKNOWN;
    }

    /** The idle age up to which a connection is handed out without validation, in nanoseconds. */
    long trusted() {
        return alive;
    }

    /**
     * The idle age at which a connection is kept alive by a round trip, in nanoseconds; {@link Long#MAX_VALUE} when no
     * idle timeout is known.
     */
    long keepAliveAt() {
        return kills() ? Math.max(MIN_AGE / 2, dead / 2) : UNKNOWN;
    }

    /**
     * The idle age at which one connection is tested, in nanoseconds; {@link Long#MAX_VALUE} when no test is needed.
     */
    long testAt() {
        return kills() || alive >= MAX_AGE ? UNKNOWN : (long) Math.ceil(alive * STEP);
    }

    /** Whether the idle timeout was configured, not learned. */
    boolean isPinned() {
        return pinned;
    }

    /** The idle timeout as text. */
    String value() {
        return kills() ? words(dead) : "none seen";
    }

    /** The reason, in one sentence. */
    String reason() {
        if (pinned) {
            return "configured; keep-alive every " + words(keepAliveAt());
        }
        if (!kills()) {
            return alive <= INITIAL_TRUSTED
                    ? "no idle connection was seen dropped yet"
                    : "connections idle for " + words(alive) + " were alive";
        }
        return String.format(
                Locale.ROOT,
                "%d connection%s idle >= %s %s%s; keep-alive every %s",
                deaths,
                deaths == 1 ? "" : "s",
                words(dead),
                deaths == 1 ? "was " : "were ",
                closedByPeer ? "closed by the peer" : "dead",
                words(keepAliveAt()));
    }

    private static String words(long nanos) {
        long step = nanos >= 10_000_000_000L ? 1_000_000_000L : 10_000_000L;
        return Durations.format((nanos + step / 2) / step * step);
    }
}
