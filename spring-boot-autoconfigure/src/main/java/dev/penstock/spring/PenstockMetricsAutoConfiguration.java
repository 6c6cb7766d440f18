package dev.penstock.spring;

import dev.penstock.observe.PenstockMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Publishes the metrics of all flows in the registries of the application, if it has any. */
@AutoConfiguration(after = PenstockAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(PenstockFlows.class)
public final class PenstockMetricsAutoConfiguration {
    /** For Spring. */
    PenstockMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "penstockMeters")
    MeterBinder penstockMeters(PenstockFlows flows) {
        return registry -> {
            var _ = PenstockMetrics.bindTo(registry, flows);
        };
    }
}
