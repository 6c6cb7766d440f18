package dev.penstock.limit;

/**
 * How long a call takes at the target while the target has little to do, and how long it takes now.
 *
 * <h2>Design note</h2>
 *
 * <p>Both times follow from Little's law: time = in flight / rate. The mean of the measured times would be wrong at a start,
 * when only the shortest calls have ended yet.
 *
 * <p>The unloaded time is that of the window with the fewest calls in flight. A window with fewer calls, or with a shorter
 * time, replaces it. It ages: what was measured with few calls is compared with more and more of them, so that a window of
 * today's load replaces it within some minutes at the latest.
 *
 * <p>Pure; not safe for many threads.
 */
final class UnloadedTime {
    /** The least answers of a window; the error of a mean of exponential times is then 10 %. */
    static final int ENOUGH = 100;

    /** Fewer do for the first window: until then nothing is known. */
    private static final int ENOUGH_AT_FIRST = 20;

    /** Each second, or in the time of a call where that is longer. */
    private static final double AGING = 0.02;

    private static final double SAME_LOAD = 1.2;

    private double area;
    private boolean any;
    private double answered;
    private double elapsed;

    private double unloadedInFlight;
    private double unloadedNanos;
    private double shortestNanos;
    private double answeredNanos;
    private double inFlight;
    private double nanos;
    private boolean fresh;

    /** Takes a stretch of load into account; true when it completed a window. */
    boolean add(LoadSample sample, boolean loadSeen) {
        double stretch = sample.to() - sample.from();
        area += sample.inFlight() * stretch;
        answered += sample.answered();
        answeredNanos += sample.answeredNanos();
        any |= answered > 0;
        elapsed += stretch;
        unloadedInFlight *= 1 + AGING * stretch / Math.max(1e9, nanos);
        if (answered < enough(loadSeen)) {
            return false;
        }
        inFlight = area / elapsed;
        nanos = area / answered;
        double mean = answeredNanos / answered;
        shortestNanos = isKnown() ? Math.min(shortestNanos, mean) : mean;
        fresh = true;
        clearWindow();
        if (!isKnown() || inFlight <= SAME_LOAD * unloadedInFlight) {
            unloadedInFlight = inFlight;
            unloadedNanos = nanos;
        }
        unloadedNanos = Math.min(unloadedNanos, nanos);
        return true;
    }

    private int enough(boolean loadSeen) {
        if (!isKnown() || elapsed > 2 * nanos) {
            return ENOUGH_AT_FIRST;
        }
        return loadSeen ? ENOUGH : ENOUGH / 2;
    }

    /** Forgets the window under way, for instance when the limit has changed. */
    void restartWindow() {
        clearWindow();
        fresh = false;
    }

    private void clearWindow() {
        area = 0;
        answered = 0;
        answeredNanos = 0;
        elapsed = 0;
    }

    /** Whether a window was completed since {@link #restartWindow}. */
    boolean isFresh() {
        return fresh;
    }

    /** Whether the target has answered nothing yet. */
    boolean isBlind() {
        return !any;
    }

    /** Whether anything was measured yet. */
    boolean isKnown() {
        return unloadedNanos > 0;
    }

    /** The time of a call while the target has little to do, in nanoseconds; 0 while it is not known. */
    double unloadedNanos() {
        return unloadedNanos;
    }

    /**
     * The shortest mean of a window's measured times, in nanoseconds: what calls may take at best. It is too short where a
     * window had only the calls that end first.
     */
    double shortestNanos() {
        return shortestNanos;
    }

    /** With few calls in flight they took longer than that. */
    void tookLonger(double nanosWithFew) {
        shortestNanos = Math.max(shortestNanos, nanosWithFew);
    }

    /** How many calls were in flight when {@link #unloadedNanos} was measured. */
    double unloadedInFlight() {
        return unloadedInFlight;
    }

    /** How many calls were in flight in the last window. */
    double inFlight() {
        return inFlight;
    }

    /** The time of a call in the last window, in nanoseconds. */
    double nanos() {
        return nanos;
    }
}
