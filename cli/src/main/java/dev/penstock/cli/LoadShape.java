package dev.penstock.cli;

import dev.penstock.lab.load.Shape;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Parses the rate of a load over time. */
final class LoadShape {
    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,9})?)";
    private static final Pattern RAMP = Pattern.compile(NUMBER + "\\.\\." + NUMBER);
    private static final Pattern STEPS = Pattern.compile(NUMBER + "(?:," + NUMBER + ")*");
    private static final Pattern SPIKE = Pattern.compile(NUMBER + "@([^/]+)/([^/]+)");

    private LoadShape() {}

    /**
     * Parses a shape.
     *
     * @param rate {@code 200}, {@code 100..1000} or {@code 100,200,400}
     * @param spikes each {@code 2000@10s/2s}
     * @param lasting the duration of the load, which is the length of a ramp or of all steps together
     * @throws IllegalArgumentException invalid shape, with a one-line remedy
     */
    static Shape parse(String rate, List<String> spikes, Duration lasting) {
        Shape shape = base(rate, lasting);
        for (String spike : spikes) {
            shape = spiked(shape, spike, lasting);
        }
        return shape;
    }

    private static Shape base(String text, Duration lasting) {
        Matcher ramp = RAMP.matcher(text);
        if (ramp.matches()) {
            return Shape.ramp(Double.parseDouble(ramp.group(1)), Double.parseDouble(ramp.group(2)), lasting);
        }
        if (!STEPS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "\"" + text
                            + "\" is not a rate: write 200 for a constant rate, 100..1000 for a ramp, or 100,200,400 for steps");
        }
        List<Double> rates = Stream.of(text.split(",", -1)).map(Double::valueOf).toList();
        return rates.size() == 1 ? Shape.flat(rates.getFirst()) : Shape.steps(rates, lasting.dividedBy(rates.size()));
    }

    private static Shape spiked(Shape shape, String text, Duration lasting) {
        Matcher spike = SPIKE.matcher(text);
        if (!spike.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a spike: write rate, start and duration, for instance 2000@10s/2s");
        }
        Duration at = Durations.parse(spike.group(2));
        if (at.compareTo(lasting) >= 0) {
            throw new IllegalArgumentException("the spike \"" + text + "\" begins after the end of the load ("
                    + Durations.format(lasting) + "): start it earlier, or increase --for");
        }
        return shape.withSpike(Double.parseDouble(spike.group(1)), at, Durations.parse(spike.group(3)));
    }
}
