package dev.penstock.collapse;

/**
 * The mean latency of a caller as a function of the batch size. Pure arithmetic; times in nanoseconds, sizes in requests.
 *
 * <h2>Design note</h2>
 *
 * <p>With batches of n at a request rate r, there are k = r / n * T calls in progress (Little's law), and T = base + perItem
 * * n + perCall * k. So T = (base + perItem * n) * n / (n - load), where load = perCall * r is the batch size at which the
 * target, or the limit, is just saturated. With random arrivals, the wait for others adds (n - 1) / 2r.
 *
 * @param base the fixed time of a call
 * @param perItem the time that each request adds to its call
 * @param load the size that batches must exceed; otherwise calls pile up
 * @param waiting the time that each further request adds to the mean wait for others
 */
record BatchSize(double base, double perItem, double load, double waiting) {
    /** The mean latency of a caller with batches of this size. */
    double time(double size) {
        return size <= load
                ? Double.POSITIVE_INFINITY
                : waiting * (size - 1) + (base + perItem * size) * size / (size - load);
    }

    /** The size with the lowest latency: where the derivative is 0. */
    double best() {
        return load <= 0 ? 1 : Math.max(1, load + Math.sqrt(load * (base + perItem * load) / (perItem + waiting)));
    }

    /** The largest size whose latency does not exceed this time: the larger root of a quadratic equation. */
    double largest(double time) {
        double slope = perItem + waiting;
        if (slope <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double spare = time - base - 2 * perItem * load - waiting * (load - 1);
        double root = spare * spare - 4 * slope * load * (base + perItem * load);
        return load + (spare + Math.sqrt(Math.max(0, root))) / (2 * slope);
    }
}
