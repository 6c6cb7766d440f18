package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.observe.MetricFamily.Point;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.NativeHistogramBucket;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The same numbers under the same names, of an embedded flow and of the gateway, in any registry. */
class PenstockMetricsTest {
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry simple = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    /** The names are a contract: add, do not rename. */
    @Test
    void namesKindsAndLabels() {
        assertThat(MetricTables.process(new FullSnapshot())
                        .map(Point::family)
                        .map(family -> family.kind() + " " + family.name() + family.labels())
                        .distinct())
                .containsExactlyInAnyOrder("""
                        COUNTER penstock_flow_transactions[flow, ending, cause]
                        GAUGE penstock_flow_in_flight[flow]
                        SECONDS penstock_stage_seconds[flow, stage]
                        GAUGE penstock_setting[flow, name]
                        COUNTER penstock_target_answers[flow, status]
                        COUNTER penstock_batches[flow, left]
                        SIZES penstock_batch_size[flow]
                        COUNTER penstock_dedupe[flow, result]
                        COUNTER penstock_messages[flow, result]
                        GAUGE penstock_messages_in_hand[flow]
                        GAUGE penstock_messages_queued[flow]
                        GAUGE penstock_messages_lag[flow]
                        COUNTER penstock_udp_datagrams[flow, result]
                        GAUGE penstock_udp_waiting[flow, result]
                        COUNTER penstock_udp_drops[flow, where]
                        COUNTER penstock_callers[flow, result, caller]
                        COUNTER penstock_caller_failures[flow, result]
                        GAUGE penstock_connections[flow, state]
                        COUNTER penstock_exchange_seconds[flow, part]
                        GAUGE hikaricp_connections[pool]
                        GAUGE hikaricp_connections_active[pool]
                        GAUGE hikaricp_connections_idle[pool]
                        GAUGE hikaricp_connections_pending[pool]
                        GAUGE hikaricp_connections_max[pool]
                        GAUGE hikaricp_connections_min[pool]
                        COUNTER penstock_faults[part]
                        GAUGE penstock_certificate_expiry_seconds[subject, file]
                        GAUGE penstock_memory_bytes[state]
                        COUNTER penstock_memory_refused[]
                        """.lines().toArray(String[]::new));
    }

    @Test
    void prometheusShowsEveryNumber() {
        PenstockMetrics.bindTo(prometheus, new FullSnapshot());
        assertThat(prometheus.scrape().lines())
                .contains(
                        "penstock_flow_transactions_total{cause=\"none\",ending=\"answered\",flow=\"f\"} 4.0",
                        "penstock_flow_transactions_total{cause=\"limit\",ending=\"rejected\",flow=\"f\"} 3.0",
                        "penstock_flow_transactions_total{cause=\"timeout\",ending=\"unknown\",flow=\"f\"} 0.0",
                        "penstock_callers_total{caller=\"shop a\",flow=\"f\",result=\"admitted\"} 6.0",
                        "penstock_stage_seconds_bucket{flow=\"f\",stage=\"target\",le=\"0.001\"} 0",
                        "penstock_stage_seconds_bucket{flow=\"f\",stage=\"target\",le=\"0.002\"} 1",
                        "penstock_stage_seconds_bucket{flow=\"f\",stage=\"target\",le=\"+Inf\"} 2",
                        "penstock_batch_size_bucket{flow=\"f\",le=\"5.0\"} 1",
                        "penstock_exchange_seconds_total{flow=\"f\",part=\"connecting\"} 0.5",
                        "penstock_certificate_expiry_seconds{file=\"a.pem\",subject=\"CN=a\"} 80.0",
                        "hikaricp_connections{pool=\"f\"} 5.0",
                        "hikaricp_connections_max{pool=\"f\"} 20.0",
                        "penstock_memory_refused_total 1.0")
                .noneMatch(line -> line.contains("stage=\"retry\"") || line.contains("name=\"a\""));
    }

    @Test
    void histogramsAreNativeToo() {
        PenstockMetrics.bindTo(prometheus, new FullSnapshot());
        HistogramDataPointSnapshot point = prometheus.getPrometheusRegistry().scrape().stream()
                .filter(metric -> metric.getMetadata().getName().equals("penstock_stage_seconds"))
                .flatMap(metric -> ((HistogramSnapshot) metric).getDataPoints().stream())
                .findFirst()
                .orElseThrow();
        List<NativeHistogramBucket> buckets =
                point.getNativeBucketsForPositiveValues().stream().toList();
        assertThat(point.getNativeSchema()).isEqualTo(5);
        assertThat(buckets).extracting(NativeHistogramBucket::getCount).containsExactly(1L, 1L);
        assertThat(Math.pow(2, buckets.getFirst().getBucketIndex() / 32.0)).isCloseTo(0.0015, within(0.00005));
        assertThat(Math.pow(2, buckets.getLast().getBucketIndex() / 32.0)).isCloseTo(0.04, within(0.0015));
        assertThat(point.getClassicBuckets().getCount(1)).isEqualTo(1);
    }

    @Test
    void embeddedFlowHasTheSameNamesInOneRegistryWithAnother() throws Exception {
        Flow<String, String> one = Flow.named("one").adaptiveConcurrency().to(call -> "done");
        Flow<String, String> two = Flow.named("two").to(call -> "done");
        PenstockMetrics.bindTo(prometheus, one);
        Binding second = PenstockMetrics.bindTo(prometheus, two);
        one.call("");
        String answered = "penstock_flow_transactions_total{cause=\"none\",ending=\"answered\",flow=";
        assertThat(prometheus.scrape().lines())
                .contains(answered + "\"one\"} 1.0", answered + "\"two\"} 0.0")
                .anyMatch(line -> line.startsWith("penstock_setting{flow=\"one\",name=\"limit\"}"));
        second.close();
        assertThat(prometheus.scrape().lines()).noneMatch(line -> line.contains("\"two\""));
    }

    @Test
    void embeddedFlowExportsWhatItsTargetCounts() {
        Target<String, String> target = new CountingTarget();
        PenstockMetrics.bindTo(prometheus, Flow.named("one").to(target));
        assertThat(prometheus.scrape().lines())
                .contains(
                        "penstock_endpoint_calls_total{flow=\"one\",result=\"http://a/\"} 3.0",
                        "penstock_udp_datagrams_total{flow=\"one\",result=\"target_sent\"} 2.0",
                        "penstock_connections{flow=\"one\",state=\"opened\"} 1.0");
    }

    private static final class CountingTarget implements Target<String, String> {
        @Override
        public String call(String request) {
            return request;
        }

        @Override
        public String where() {
            return "here";
        }

        @Override
        public List<Setting> settings() {
            return List.of();
        }

        @Override
        public Map<String, Long> connections() {
            return Map.of("opened", 1L);
        }

        @Override
        public Map<String, Map<String, Long>> counters() {
            return Map.of("endpoint_calls", Map.of("http://a/", 3L), "datagrams", Map.of("target_sent", 2L));
        }

        @Override
        public void close() {}
    }

    @Test
    void otherRegistriesGetNewSeriesAndNumbersOfOneInstant() throws Exception {
        Flow<String, String> flow = Flow.named("f").to(call -> "done");
        Binding binding = PenstockMetrics.bindTo(simple, flow);
        flow.call("");
        assertThat(answered()).isEqualTo(0);
        clock.addSeconds(1);
        assertThat(answered()).isEqualTo(1);
        assertThat(simple.get("penstock.stage")
                        .tag("stage", "target")
                        .functionTimer()
                        .count())
                .isEqualTo(1);
        assertThat(simple.get("penstock.stage.max")
                        .tag("stage", "target")
                        .gauge()
                        .value())
                .isPositive();
        binding.close();
        assertThat(simple.getMeters()).isEmpty();
    }

    private double answered() {
        return simple.get("penstock.flow.transactions")
                .tag("ending", "answered")
                .functionCounter()
                .count();
    }

    @Test
    void everyMemberOfACompositeIsServed() {
        CompositeMeterRegistry both = new CompositeMeterRegistry(clock, List.of(prometheus, simple));
        PenstockMetrics.bindTo(both, new FullSnapshot());
        assertThat(prometheus.scrape()).contains("penstock_batch_size_bucket");
        assertThat(simple.get("penstock.batch.size.sum").functionCounter().count())
                .isEqualTo(103);
        assertThat(simple.get("penstock.batch.size.max").gauge().value()).isEqualTo(100);
    }

    @Test
    void poolHasTheNamesOfHikariCp() {
        PenstockMetrics.bindTo(simple, new Target.Pool() {
            @Override
            public String name() {
                return "orders";
            }

            @Override
            public Map<String, Long> connections() {
                return Map.of("leased", 3L, "idle", 2L);
            }

            @Override
            public List<Setting> settings() {
                return List.of(FullSnapshot.setting("pool.max", "20"));
            }
        });
        assertThat(Stream.of("", ".active", ".idle", ".max")
                        .map(name -> simple.get("hikaricp.connections" + name)
                                .tag("pool", "orders")
                                .gauge()
                                .value()))
                .containsExactly(5.0, 3.0, 2.0, 20.0);
        assertThat(simple.find("hikaricp.connections.min").gauge()).isNull();
    }
}
