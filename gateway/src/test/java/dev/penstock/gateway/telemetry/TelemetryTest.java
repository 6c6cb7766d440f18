package dev.penstock.gateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TelemetryTest {
    @Test
    void theSamplerIsThatOfTheEnvironment() throws Exception {
        assertThat(Telemetry.sampler(Map.of())).isEqualTo(Sampler.parentBased(Sampler.alwaysOn()));
        assertThat(Telemetry.sampler(Map.of("OTEL_TRACES_SAMPLER", "always_off")))
                .isEqualTo(Sampler.alwaysOff());
        assertThat(Telemetry.sampler(
                        Map.of("OTEL_TRACES_SAMPLER", "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG", "0.01")))
                .isEqualTo(Sampler.parentBased(Sampler.traceIdRatioBased(0.01)));
        assertThatThrownBy(() -> Telemetry.sampler(Map.of("OTEL_TRACES_SAMPLER", "some")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("always_on");
        assertThatThrownBy(() -> Telemetry.sampler(
                        Map.of("OTEL_TRACES_SAMPLER", "traceidratio", "OTEL_TRACES_SAMPLER_ARG", "1%")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("such as 0.01");
    }

    @Test
    void spansThatAreNotSentAreCounted() {
        AtomicBoolean up = new AtomicBoolean();
        CountedExporter exporter = new CountedExporter(
                new SpanExporter() {
                    @Override
                    public CompletableResultCode export(Collection<SpanData> spans) {
                        return up.get() ? CompletableResultCode.ofSuccess() : CompletableResultCode.ofFailure();
                    }

                    @Override
                    public CompletableResultCode flush() {
                        return CompletableResultCode.ofSuccess();
                    }

                    @Override
                    public CompletableResultCode shutdown() {
                        return CompletableResultCode.ofSuccess();
                    }
                },
                "a test");
        try (SdkTracerProvider tracers = SdkTracerProvider.builder()
                .addSpanProcessor(exporter.counter())
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build()) {
            tracers.get("test").spanBuilder("lost").startSpan().end();
            tracers.get("test").spanBuilder("lost").startSpan().end();
            assertThat(exporter.failing()).isTrue();
            up.set(true);
            tracers.get("test").spanBuilder("sent").startSpan().end();
            assertThat(exporter.failing()).isFalse();
        }
        assertThat(exporter.ended().sum()).isEqualTo(3);
        assertThat(exporter.sent().sum()).isEqualTo(1);
    }
}
