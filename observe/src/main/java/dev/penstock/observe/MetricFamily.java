package dev.penstock.observe;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * A metric, and how its samples are read.
 *
 * @param kind how it is published
 * @param name in snake case, without the suffix of a counter
 * @param help one sentence
 * @param labels the names of the labels
 * @param samples reads its samples
 * @param <S> what they are read from
 */
record MetricFamily<S>(Kind kind, String name, String help, List<String> labels, Function<S, Stream<Sample>> samples) {
    private static final List<Double> TIMES =
            bounds("0.001 0.002 0.005 0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10 20 30 60 Infinity");
    private static final List<Double> COUNTS = bounds("1 2 5 10 20 50 100 200 500 1000 Infinity");

    private static List<Double> bounds(String all) {
        return Stream.of(all.split(" ", -1)).map(Double::valueOf).toList();
    }

    /** How a family is published. */
    enum Kind {
        COUNTER,
        GAUGE,
        /** A histogram of nanoseconds, published in seconds. */
        SECONDS,
        /** A histogram of counts. */
        SIZES;

        /** The number of recorded units in one unit of the metric. */
        double unit() {
            return this == SECONDS ? 1e9 : 1;
        }

        /** The upper bounds of the buckets of a histogram, in the unit of the metric. */
        List<Double> bounds() {
            return this == SECONDS ? TIMES : COUNTS;
        }
    }

    private static final Pattern ROW = Pattern.compile("(\\w+) (\\w+)\\{([\\w,]*)} (.+)");

    /**
     * A family in one line.
     *
     * @param row its kind, name, labels and help: {@code GAUGE penstock_flow_in_flight{flow} Transactions ...}
     * @param samples reads its samples
     * @param <S> what they are read from
     */
    static <S> MetricFamily<S> family(String row, Function<S, Stream<Sample>> samples) {
        Matcher parts = ROW.matcher(row);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not KIND name{labels} help: " + row);
        }
        List<String> labels =
                parts.group(3).isEmpty() ? List.of() : List.of(parts.group(3).split(","));
        return new MetricFamily<>(Kind.valueOf(parts.group(1)), parts.group(2), parts.group(4), labels, samples);
    }

    /**
     * One value.
     *
     * @param labels the values of the labels
     * @param value the value of a counter or gauge
     * @param values those of a histogram; empty for others
     */
    record Sample(List<String> labels, double value, Histogram values) {
        static final Histogram NONE = new Histogram(1);

        static Sample of(Number value, String... labels) {
            return new Sample(List.of(labels), value.doubleValue(), NONE);
        }

        static Sample of(Histogram values, String... labels) {
            return new Sample(List.of(labels), 0, values);
        }

        /** A sample for each entry; its key is the label. */
        static Stream<Sample> each(Map<?, ? extends Number> counts) {
            return counts.entrySet().stream()
                    .map(entry ->
                            of(entry.getValue().doubleValue(), entry.getKey().toString()));
        }

        /** The sample of a family without labels of its own. */
        Sample unlabelled() {
            return new Sample(List.of(), value, values);
        }

        private Sample after(String first) {
            return new Sample(Stream.concat(Stream.of(first), labels.stream()).toList(), value, values);
        }

        double sum(Kind kind) {
            return values.getTotalCount() == 0 ? 0 : values.getMean() * values.getTotalCount() / kind.unit();
        }
    }

    /** A sample with its family. */
    record Point(MetricFamily<?> family, Sample sample) {}

    Stream<Point> points(S state) {
        return samples.apply(state).map(sample -> new Point(this, sample));
    }

    /** @param owner the value of the first label */
    Stream<Point> points(String owner, S state) {
        return samples.apply(state).map(sample -> new Point(this, sample.after(owner)));
    }
}
