package dev.penstock.lab.measure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How soon something that tunes itself was as good as it became. */
public final class Adaptation {
    private static final int FIRST = 10;
    private static final double AS_GOOD = 0.9;

    private Adaptation() {}

    /**
     * What can be told of these seconds.
     *
     * @param perSecond answers in each second since the load began, its warm-up included
     * @param steady answers a second in the measured time
     * @return {@code first_10s}: answers a second in the first ten seconds, when there were ten; {@code adapt_s}: the seconds before
     *     the first two that gave {@value #AS_GOOD} of {@code steady}, when there were such
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
