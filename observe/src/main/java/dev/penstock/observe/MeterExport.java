package dev.penstock.observe;

import dev.penstock.observe.MetricFamily.Point;
import dev.penstock.observe.MetricFamily.Sample;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Publishes points as meters of any registry, which reads one at a time. All are read together, and kept for {@value
 * #KEPT_NANOS} ns, so that the numbers of one publication belong together. A series that appears later is registered when
 * the others are read. Thread-safe.
 */
final class MeterExport implements Binding {
    private static final long KEPT_NANOS = 100_000_000;

    private final MeterRegistry registry;
    private final Supplier<Stream<Point>> points;
    private final Map<List<String>, Sample> samples = new HashMap<>();
    private final List<Meter> meters = new ArrayList<>();
    private long readAt;
    private boolean closed;

    MeterExport(MeterRegistry registry, Supplier<Stream<Point>> points) {
        this.registry = registry;
        this.points = points;
        read(registry.config().clock().monotonicTime());
    }

    private synchronized void read(long now) {
        readAt = now;
        points.get().forEach(point -> {
            List<String> key = new ArrayList<>(point.sample().labels());
            key.add(point.family().name());
            if (samples.put(key, point.sample()) == null) {
                register(key, point);
            }
        });
    }

    private synchronized double value(List<String> key, ToDoubleFunction<Sample> number) {
        long now = registry.config().clock().monotonicTime();
        if (!closed && now - readAt > KEPT_NANOS) {
            read(now);
        }
        Sample sample = samples.get(key);
        return sample == null ? 0 : number.applyAsDouble(sample);
    }

    private void register(List<String> key, Point point) {
        MetricFamily<?> family = point.family();
        Tags tags = Tags.of(IntStream.range(0, family.labels().size())
                .mapToObj(i ->
                        Tag.of(family.labels().get(i), point.sample().labels().get(i)))
                .toList());
        String name = family.name().replace('_', '.');
        String help = family.help();
        switch (family.kind()) {
            case COUNTER -> counter(name, help, tags, key, Sample::value);
            case GAUGE -> gauge(name, help, tags, key, Sample::value);
            case SECONDS -> {
                String timer = name.replaceFirst("\\.seconds$", "");
                meters.add(FunctionTimer.builder(
                                timer,
                                this,
                                all -> (long)
                                        value(key, sample -> sample.values().getTotalCount()),
                                all -> value(key, sample -> sample.sum(family.kind())),
                                TimeUnit.SECONDS)
                        .description(help)
                        .tags(tags)
                        .register(registry));
                gauge(
                        timer + ".max",
                        help,
                        tags,
                        key,
                        sample -> sample.values().getMaxValue() / family.kind().unit());
            }
            case SIZES -> {
                counter(
                        name + ".count",
                        help,
                        tags,
                        key,
                        sample -> sample.values().getTotalCount());
                counter(name + ".sum", help, tags, key, sample -> sample.sum(family.kind()));
                gauge(name + ".max", help, tags, key, sample -> sample.values().getMaxValue());
            }
        }
    }

    private void counter(String name, String help, Tags tags, List<String> key, ToDoubleFunction<Sample> number) {
        meters.add(FunctionCounter.builder(name, this, all -> value(key, number))
                .description(help)
                .tags(tags)
                .register(registry));
    }

    private void gauge(String name, String help, Tags tags, List<String> key, ToDoubleFunction<Sample> number) {
        meters.add(Gauge.builder(name, () -> value(key, number))
                .description(help)
                .tags(tags)
                .register(registry));
    }

    @Override
    public synchronized void close() {
        closed = true;
        meters.forEach(registry::remove);
        meters.clear();
    }
}
