package dev.penstock.collapse;

/**
 * How long a caller waits for its answer in the mean, by how many requests a batch has. Pure arithmetic; times in
 * nanoseconds, sizes in requests.
 *
 * <h2>Design note</h2>
 *
 * <p>With batches of n at a rate of requests r there are k = r / n * T calls out (Little's law), and T = base + perItem * n +
 * perCall * k. So T = (base + perItem * n) * n / (n - load), where load = perCall * r is the size at which the target, or the
 * limit, is just saturated. The wait for others adds (n - 1) / 2r where requests come at random.
 *
 * @param base of a call
 * @param perItem what a request adds to its call
 * @param load the size that a batch must exceed, or calls pile up
 * @param waiting what each further request adds to the mean wait for others
 */
record BatchSize(double base, double perItem, double load, double waiting) {
    /** The mean time of a caller in batches of this size. */
    double time(double size) {
        return size <= load
                ? Double.POSITIVE_INFINITY
                : waiting * (size - 1) + (base + perItem * size) * size / (size - load);
    }

    /** The size of the shortest time: where its derivative is 0. */
    double best() {
        return load <= 0 ? 1 : Math.max(1, load + Math.sqrt(load * (base + perItem * load) / (perItem + waiting)));
    }

    /** The largest size whose time is no longer than this: the larger root of a quadratic. */
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
