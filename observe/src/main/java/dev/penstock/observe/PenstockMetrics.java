package dev.penstock.observe;

import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.observe.MetricFamily.Point;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Publishes the metrics of flows and pools in a Micrometer registry, under the names that the gateway uses too:
 *
 * <pre>{@code
 * PenstockMetrics.bindTo(registry, payments);
 * }</pre>
 *
 * <p>In a Prometheus registry all numbers of a flow are of one instant, and times and sizes are histograms with fixed
 * buckets, which can be aggregated, and native histograms. Micrometer has no meter for a histogram that exists already, so
 * that other registries get count, sum and maximum, and dots in place of underscores in names. The members that a
 * composite registry has now are served each by itself.
 *
 * <p>Thread-safe.
 */
public final class PenstockMetrics {
    private PenstockMetrics() {}

    /**
     * Publishes flows, each with the connections of its target.
     *
     * @param registry where to
     * @param flows the flows
     * @return close it to remove the metrics
     */
    public static Binding bindTo(MeterRegistry registry, Flow<?, ?>... flows) {
        List<WatchedFlow> watched =
                Stream.of(flows).<WatchedFlow>map(EmbeddedFlow::new).toList();
        return bind(registry, () -> watched.stream().flatMap(MetricTables::flow));
    }

    /**
     * Publishes the connections of a target that belongs to no bound flow, such as that of a store. Its address is the name.
     *
     * @param registry where to
     * @param target the target
     * @return close it to remove the metrics
     */
    public static Binding bindTo(MeterRegistry registry, Target<?, ?> target) {
        return bind(
                registry,
                () -> MetricTables.pool(target.where(), target.connections(), target.times(), target.settings()));
    }

    /**
     * Publishes the connections of a pool, for instance of a {@code GuardedDataSource}.
     *
     * @param registry where to
     * @param pool the pool
     * @return close it to remove the metrics
     */
    public static Binding bindTo(MeterRegistry registry, Target.Pool pool) {
        return bind(registry, () -> MetricTables.pool(pool.name(), pool.connections(), Map.of(), pool.settings()));
    }

    /**
     * Publishes all flows of a process, and its faults, memory budget and certificates.
     *
     * @param registry where to
     * @param process the process
     * @return close it to remove the metrics
     */
    public static Binding bindTo(MeterRegistry registry, WatchedProcess process) {
        return bind(registry, () -> MetricTables.process(process));
    }

    private static Binding bind(MeterRegistry registry, Supplier<Stream<Point>> points) {
        if (registry instanceof CompositeMeterRegistry composite) {
            List<Binding> members = composite.getRegistries().stream()
                    .map(member -> bind(member, points))
                    .toList();
            return () -> members.forEach(Binding::close);
        }
        return isPrometheus(registry.getClass())
                ? PrometheusExport.bind(registry, points)
                : new MeterExport(registry, points);
    }

    /** Asked by name, because the class is absent from programs without this registry. */
    private static boolean isPrometheus(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return type.getName().equals("io.micrometer.prometheusmetrics.PrometheusMeterRegistry")
                || (parent != null && isPrometheus(parent));
    }
}
