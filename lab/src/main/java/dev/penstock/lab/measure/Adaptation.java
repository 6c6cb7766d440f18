package dev.penstock.lab.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How fast an adaptive system reached its steady throughput. */
public final class Adaptation {
    private static final int FIRST = 10;
    private static final double AS_GOOD = 0.9;

    private Adaptation() {}

    /**
     * Derives the metrics.
     *
     * @param perSecond answers in each second since the start of the load, including the warm-up
     * @param steady answers per second in the measured window
     * @return {@code first_10s}: answers per second in the first ten seconds, if there were ten; {@code adapt_s}: the
     *     seconds before the first two consecutive ones with {@value #AS_GOOD} of {@code steady}, if there were any
     */
    public static Map<String, Double> of(List<Double> perSecond, double steady) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        if (perSecond.size() >= FIRST) {
            double sum = perSecond.stream()
                    .limit(FIRST)
                    .mapToDouble(Double::doubleValue)
                    .sum();
            metrics.put("first_10s", sum / FIRST);
        }
        for (int i = 0; steady > 0 && i + 1 < perSecond.size(); i++) {
            if (perSecond.get(i) + perSecond.get(i + 1) >= 2 * AS_GOOD * steady) {
                metrics.put("adapt_s", (double) i);
                break;
            }
        }
        return metrics;
    }
}
