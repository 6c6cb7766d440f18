package dev.penstock.collapse;

/**
 * The rate at which requests arrive: an exponentially weighted average over recent arrivals.
 *
 * <h2>Design note</h2>
 *
 * <p>The average spans {@value #ARRIVALS} arrivals, or {@value #CALLS} call times if that is longer. The first, because the
 * relative error of an average over n random arrivals is 1 / sqrt(n). The second, because callers that are answered together
 * send their next requests together: during such a burst the rate is a hundred times the long-term average.
 *
 * <p>Not safe for many threads.
 */
final class ArrivalRate {
    private static final double ARRIVALS = 128;
    private static final double CALLS = 3;

    private double arrivals;
    private double nanos;

    /**
     * Records arrivals.
     *
     * @param count the number of arrivals to count
     * @param all the number of all arrivals, counted here or not, which determines the decay of older ones
     * @param over the time in which they arrived, in nanoseconds
     * @param call the mean call time in nanoseconds; 0 while unknown
     */
    void add(long count, long all, double over, double call) {
        double fade = all / ARRIVALS;
        double kept = Math.exp(-(call > 0 ? Math.min(fade, over / (CALLS * call)) : fade));
        arrivals = arrivals * kept + count;
        nanos = nanos * kept + over;
    }

    /** Arrivals per nanosecond; 0 while unknown. */
    double perNano() {
        return nanos > 0 ? arrivals / nanos : 0;
    }
}
