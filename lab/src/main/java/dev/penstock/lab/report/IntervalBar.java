package dev.penstock.lab.report;

/**
 * A ratio with its confidence interval as a bar of text on a log scale from 1/4 to 4, centred at 1; values outside are
 * arrows at the edge.
 *
 * <pre>
 *   -----[==*==]-+--------------     ours is better here (for a metric where lower is better)
 * </pre>
 */
final class IntervalBar {
    /** The heading of a column of bars. */
    static final String SCALE = "1/4" + " ".repeat(11) + "1" + " ".repeat(13) + "4";

    private static final int HALF = 14;
    private static final double WIDEST = Math.log(4);

    private IntervalBar() {}

    static String of(double ratio, double low, double high) {
        char[] bar = "-".repeat(2 * HALF + 1).toCharArray();
        bar[HALF] = '+';
        int from = place(low);
        int to = place(high);
        for (int i = from; i <= to; i++) {
            bar[i] = '=';
        }
        if (to > from) {
            bar[from] = low < 1 / Math.exp(WIDEST) ? '<' : '[';
            bar[to] = high > Math.exp(WIDEST) ? '>' : ']';
        }
        int at = place(ratio);
        boolean outside = Math.abs(Math.log(ratio)) > WIDEST;
        bar[at] = outside ? ratio < 1 ? '<' : '>' : '*';
        return new String(bar);
    }

    private static int place(double ratio) {
        double share = ratio <= 0 ? -1 : Math.clamp(Math.log(ratio) / WIDEST, -1, 1);
        return HALF + (int) Math.round(share * HALF);
    }
}
