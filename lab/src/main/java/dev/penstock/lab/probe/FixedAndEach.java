package dev.penstock.lab.probe;

/**
 * The cost of a call as a fixed part plus a part per item, {@code cost = fixed + each n}. Fitted by least squares of
 * relative errors, so that 1 % weighs the same for small and large calls. Neither part is negative.
 *
 * @param fixed cost of each call
 * @param each cost of each item
 * @param standardError standard error of the fixed part
 */
record FixedAndEach(double fixed, double each, double standardError) {
    /**
     * Fits the model.
     *
     * @param items numbers of items, above 0; at least two different ones
     * @param costs the cost of a call with that many items; above 0
     */
    static FixedAndEach fit(double[] items, double[] costs) {
        double w = 0;
        double wx = 0;
        double wy = 0;
        double wxx = 0;
        double wxy = 0;
        for (int i = 0; i < items.length; i++) {
            double weight = 1 / (costs[i] * costs[i]);
            w += weight;
            wx += weight * items[i];
            wy += weight * costs[i];
            wxx += weight * items[i] * items[i];
            wxy += weight * items[i] * costs[i];
        }
        double apart = w * wxx - wx * wx;
        double each = (w * wxy - wx * wy) / apart;
        double fixed = (wy - each * wx) / w;
        if (fixed < 0) {
            fixed = 0;
            each = wxy / wxx;
        } else if (each < 0) {
            each = 0;
            fixed = wy / w;
        }
        double left = 0;
        for (int i = 0; i < items.length; i++) {
            double off = (costs[i] - fixed - each * items[i]) / costs[i];
            left += off * off;
        }
        double noise = left / Math.max(1, items.length - 2);
        return new FixedAndEach(fixed, each, Math.sqrt(noise * wxx / apart));
    }
}
