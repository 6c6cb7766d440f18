package dev.penstock.spring;

import dev.penstock.Keyed;
import dev.penstock.observe.Traces;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Traces all flows with the OpenTelemetry of the application, if it has one, so that Spring's own spans contain theirs. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
        })
@ConditionalOnBean(type = "io.opentelemetry.api.OpenTelemetry")
public final class PenstockTracingAutoConfiguration {
    /** For Spring. */
    PenstockTracingAutoConfiguration() {}

    /** Before other customizers, which may set an observer in its place. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    @ConditionalOnMissingBean(name = "penstockTraces")
    FlowCustomizer penstockTraces(OpenTelemetry telemetry) {
        Traces traces = Traces.of(telemetry)
                .reading((request, name) ->
                        request instanceof MethodCall call && call.argument() instanceof Keyed message
                                ? message.key(name)
                                : null);
        return (_, stages) -> stages.observer(traces);
    }
}
