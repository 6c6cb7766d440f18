package dev.penstock.limit;

/**
 * The times of calls at the target: the usual one, the one without load, and the longest that is allowed.
 *
 * <p>The unloaded time falls at once to a shorter mean of a turn. It rises where fewer calls than it was seen with take longer,
 * and where a pair of turns shows that the target is not loaded.
 *
 * <p>Not thread-safe.
 */
final class Times {
    /** Calls are to take at most this multiple of the unloaded time, unless longer ones have been shown to pay. */
    private static final double UNLOADED_MULTIPLE = 3;

    /** Up to this multiple of the unloaded time there is no sign of load. */
    private static final double NO_LOAD = 1.5;

    private static final double RISE = 0.3;
    private static final double FEWER = 0.8;

    private final double allowedNanos;
    private double usual;
    private double unloadedLog = Double.NaN;
    private double unloadedInFlight;
    private boolean longPays;

    /** No times yet; calls are allowed to take so long, infinite for no bound. */
    Times(double allowedNanos) {
        this.allowedNanos = allowedNanos;
    }

    /** Begins with the first calls; those that have not ended count with the time that they have taken. */
    void begin(Turn first, double inFlight, long now) {
        usual = first.expected(now);
        unloadedLog = Math.log(usual);
        unloadedInFlight = inFlight;
    }

    /** Takes a turn into account, with the number in flight in it. */
    void add(Turn turn, double inFlight) {
        double time = turn.meanLog();
        usual = usual == 0 ? Math.exp(time) : Math.sqrt(usual * Math.exp(time));
        if (Double.isNaN(unloadedLog) || time + 2 * error(turn) < unloadedLog) {
            unloadedLog = time;
            unloadedInFlight = inFlight;
        } else if (inFlight <= FEWER * unloadedInFlight) {
            unloadedLog = Math.min(time, (unloadedLog + time) / 2);
            unloadedInFlight = inFlight;
        }
    }

    /** Takes a pair into account: where more in flight takes hardly longer, calls take their unloaded time. */
    void add(Turn low, Turn high, double elasticity) {
        add(low, low.permits());
        add(high, high.permits());
        double time = (low.meanLog() + high.meanLog()) / 2;
        double unloaded = 1 - Math.clamp(2 * elasticity, 0, 1);
        unloadedLog += RISE * unloaded * Math.max(0, time - unloadedLog);
    }

    /** How much longer the calls of a pair took than what is no sign of load, as a logarithm. */
    double excess(Turn low, Turn high) {
        return (low.meanLog() + high.meanLog()) / 2 - unloadedLog - Math.log(NO_LOAD);
    }

    /** How much longer the calls of a turn may take, as a logarithm. */
    double room(Turn turn) {
        return boundLog() - turn.meanLog();
    }

    private static double error(Turn turn) {
        return Math.sqrt(turn.variance());
    }

    boolean isKnown() {
        return usual > 0;
    }

    /** In nanoseconds; 0 when not known. */
    double usualNanos() {
        return usual;
    }

    /** In nanoseconds; NaN when not known. */
    double unloadedNanos() {
        return Math.exp(unloadedLog);
    }

    double unloadedInFlight() {
        return unloadedInFlight;
    }

    /** Half of the deadline; infinite without one. */
    double allowedNanos() {
        return allowedNanos;
    }

    /** Whether calls have a deadline, and usually take more than half of it. */
    boolean isTooLong() {
        return usual > allowedNanos;
    }

    /** Whether calls in flight that take long give more answers than fewer that do not. Only a deadline bounds them then. */
    void longPays(boolean pays) {
        longPays = pays;
    }

    /** What calls in flight may take, as a logarithm: half of the deadline, and a multiple of the unloaded time. */
    double boundLog() {
        double multiple = unloadedLog + Math.log(UNLOADED_MULTIPLE);
        boolean hasDeadline = allowedNanos != Double.POSITIVE_INFINITY;
        double allowed = Math.log(allowedNanos);
        return longPays && hasDeadline ? allowed : Math.min(allowed, multiple);
    }

    /** Whether calls of a turn take longer than is allowed, whatever chance does. */
    boolean isTooSlow(Turn turn) {
        return turn.meanLog() - 2 * error(turn) > boundLog();
    }

    /** Whether calls of a turn may take their unloaded time. */
    boolean isUnloaded(Turn turn) {
        return turn.meanLog() - error(turn) <= unloadedLog + Math.log(NO_LOAD);
    }
}
