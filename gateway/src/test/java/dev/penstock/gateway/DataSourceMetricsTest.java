package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.observe.Binding;
import dev.penstock.observe.PenstockMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** A pool of a program of its own, whose metrics module does not know databases. */
class DataSourceMetricsTest {
    @Test
    void aGuardedDataSourceIsPublishedUnderTheNamesOfHikari() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (GuardedDataSource source =
                        GuardedDataSource.at("jdbc:h2:mem:metrics").max(7).build();
                Connection _ = source.getConnection();
                Binding _ = PenstockMetrics.bindTo(registry, source)) {
            assertThat(registry.scrape())
                    .contains("hikaricp_connections_active{pool=\"" + source.name() + "\"} 1.0")
                    .contains("hikaricp_connections_max{pool=\"" + source.name() + "\"} 7.0")
                    .contains("penstock_connections{flow=\"" + source.name() + "\",state=\"leased\"} 1.0");
        }
        assertThat(registry.scrape()).doesNotContain("hikaricp");
    }
}
