package dev.penstock.collapse;

/**
 * How many requests come in a time, as an average over what came of late.
 *
 * <h2>Design note</h2>
 *
 * <p>It remembers {@value #ARRIVALS} arrivals, or {@value #CALLS} call times if that is longer. The first because an average
 * over n random arrivals errs by 1 in the root of n. The second because callers that were answered together ask again
 * together: within such a moment the rate is a hundred times what it is by and by.
 *
 * <p>Not safe for many threads.
 */
final class ArrivalRate {
    private static final double ARRIVALS = 128;
    private static final double CALLS = 3;

    private double arrivals;
    private double nanos;

    /**
     * Some came.
     *
     * @param count how many are to be counted
     * @param all how many came, counted here or not: what fades the past
     * @param over in how long, in nanoseconds
     * @param call how long calls take; 0 while that is not known
     */
    void add(long count, long all, double over, double call) {
        double fade = all / ARRIVALS;
        double kept = Math.exp(-(call > 0 ? Math.min(fade, over / (CALLS * call)) : fade));
        arrivals = arrivals * kept + count;
        nanos = nanos * kept + over;
    }

    /** Arrivals a nanosecond; 0 while unknown. */
    double perNano() {
        return nanos > 0 ? arrivals / nanos : 0;
    }
}
