package dev.penstock.limit;

/**
 * The times of calls at the target: the typical one, the current one, and the one without load.
 *
 * <h2>Design note</h2>
 *
 * <p>The typical time is a moving average of the measured times of answers. The others follow from Little's law: time = in flight / rate. The mean of the measured times would be wrong at the start,
 * when only the shortest calls have ended.
 *
 * <p>The unloaded time is that of the window with the fewest calls in flight. A window with fewer calls, or with a shorter
 * time, replaces it. It ages: the recorded number in flight is increased over time, so that a window with the current load
 * replaces it within some minutes at the latest.
 *
 * <p>No side effects; not thread-safe.
 */
final class TargetTimes {
    /** The minimum number of answers in a window; the error of a mean of exponential times is then 10 %. */
    static final int ENOUGH = 100;

    /** Fewer are enough for the first window: until then nothing is known. */
    private static final int MIN_FIRST_ANSWERS = 20;

    /** The increase of the recorded number in flight, per second or per call time if that is longer. */
    private static final double AGING = 0.02;

    private static final double SAME_LOAD = 1.2;

    /** The number of answers whose mean replaces the typical time. */
    private static final double TYPICAL_ANSWERS = 20;

    private double typicalNanos;
    private double area;
    private boolean hasAnswers;
    private double answered;
    private double elapsed;

    private double unloadedInFlight;
    private double unloadedNanos;
    private double shortestNanos;
    private double answeredNanos;
    private double inFlight;
    private double nanos;
    private boolean fresh;

    /**
     * Takes a sample into account.
     *
     * @param loadSeen whether the target has shown load; the time has to be more precise then
     */
    void add(LoadSample sample, boolean loadSeen) {
        if (sample.answered() > 0) {
            double mean = (double) (sample.answeredNanos() + sample.idleNanos()) / sample.answered();
            double weight = typicalNanos == 0 ? 1 : Math.min(1, sample.answered() / TYPICAL_ANSWERS);
            typicalNanos += weight * (mean - typicalNanos);
        }
        double stretch = sample.to() - sample.from();
        area += sample.inFlight() * stretch;
        answered += sample.answered();
        answeredNanos += sample.answeredNanos();
        hasAnswers |= answered > 0;
        elapsed += stretch;
        unloadedInFlight *= 1 + AGING * stretch / Math.max(1e9, nanos);
        if (answered < enough(loadSeen)) {
            return;
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
    }

    private int enough(boolean loadSeen) {
        if (!isKnown() || elapsed > 2 * nanos) {
            return MIN_FIRST_ANSWERS;
        }
        return loadSeen ? ENOUGH : ENOUGH / 2;
    }

    /** Discards the current window, for instance because the limit has changed. */
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
        return !hasAnswers;
    }

    /** Whether a window was ever completed. */
    boolean isKnown() {
        return unloadedNanos > 0;
    }

    /** The typical time of an answered call, with that of its permit before it; 0 while none was answered. */
    double typicalNanos() {
        return typicalNanos;
    }

    /** The time of a call without load, in nanoseconds; 0 while it is not known. */
    double unloadedNanos() {
        return unloadedNanos;
    }

    /**
     * The shortest mean time of a window, in nanoseconds: a lower bound of the time of calls. It is too short if a window
     * contained only the calls that ended first.
     */
    double shortestNanos() {
        return shortestNanos;
    }

    /** Raises the shortest time: calls took this long with few in flight. */
    void raiseShortestNanos(double nanosWithFew) {
        shortestNanos = Math.max(shortestNanos, nanosWithFew);
    }

    /** The number of calls in flight when {@link #unloadedNanos} was measured. */
    double unloadedInFlight() {
        return unloadedInFlight;
    }

    /** The mean number of calls in flight in the last window. */
    double inFlight() {
        return inFlight;
    }

    /** The time of a call in the last window, in nanoseconds. */
    double nanos() {
        return nanos;
    }
}
