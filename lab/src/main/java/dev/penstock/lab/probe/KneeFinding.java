package dev.penstock.lab.probe;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency beyond which the target's throughput no longer grows (the knee).
 *
 * @param points the measurements, by concurrency
 * @param chosen the curve that fits best; null with too few measurements
 * @param other the curve that fits less well; null when there is none
 * @param reached whether the measurements bracket the knee; if not, {@link #knee} is only the highest concurrency tried
 * @param knee the concurrency beyond which throughput no longer grows
 * @param low lower end of the knee's 95 % confidence interval
 * @param high upper end of that interval
 * @param bestThroughput answers per second at the knee
 * @param worked the highest concurrency that was seen to work without an error, below the lowest with errors
 * @param why the evidence, or why the knee was not reached, in one sentence with its numbers
 */
public record KneeFinding(
        List<Point> points,
        @Nullable Curve chosen,
        @Nullable Curve other,
        boolean reached,
        double knee,
        double low,
        double high,
        double bestThroughput,
        int worked,
        String why) {
    /**
     * One measurement.
     *
     * @param concurrency concurrent calls
     * @param throughput successful answers per second
     * @param meanMillis the mean time of a call
     * @param errorShare the share of calls without a correct answer, 0 to 1
     */
    public record Point(int concurrency, double throughput, double meanMillis, double errorShare) {}

    /**
     * A fitted curve.
     *
     * @param name of the model: {@code usl} or {@code capped line}
     * @param text the curve with its parameters, readable
     * @param aic its Akaike information criterion, smaller is better
     * @param throughput its answers per second at each value of {@link #concurrency}
     * @param concurrency the plotted values, ascending
     */
    public record Curve(String name, String text, double aic, List<Double> concurrency, List<Double> throughput) {
        public Curve {
            concurrency = List.copyOf(concurrency);
            throughput = List.copyOf(throughput);
        }
    }

    public KneeFinding {
        points = List.copyOf(points);
    }
}
