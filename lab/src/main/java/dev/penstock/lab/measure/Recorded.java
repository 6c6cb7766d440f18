package dev.penstock.lab.measure;

import org.HdrHistogram.Histogram;

/** What a recorder had gathered at some moment. */
public final class Recorded {
    private final Stripe sum;
    private final long started;
    private final long shed;
    private final double windowSeconds;

    Recorded(Stripe sum, long started, long shed, double windowSeconds) {
        this.sum = sum;
        this.started = started;
        this.shed = shed;
        this.windowSeconds = windowSeconds;
    }

    /** How the transactions of the window ended; while a load runs, {@code lost} is what is in flight. */
    public Counts counts() {
        return Counts.of(started, shed, sum.outcomes);
    }

    /** From the intended start to the end. */
    public Latency response() {
        return latency(sum.response);
    }

    /** From the actual start to the end. */
    public Latency service() {
        return latency(sum.service);
    }

    /** From the intended to the actual start. */
    public Latency lag() {
        return latency(sum.lag);
    }

    /** Transactions that ended at all, the warm-up's included. */
    public long ended() {
        return sum.ended;
    }

    /** Length of the window in seconds. */
    public double windowSeconds() {
        return windowSeconds;
    }

    /** Right answers that came within the window, for each second of it; 0 for a window of no length. */
    public double tps() {
        return windowSeconds == 0 ? 0 : sum.rightInWindow / windowSeconds;
    }

    private static Latency latency(Histogram nanos) {
        return new Latency(nanos);
    }
}
