package dev.penstock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Keyed;
import dev.penstock.Observation;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Flows are traced with the OpenTelemetry of the application. */
class TracingTest {
    private final InMemorySpanExporter ended = InMemorySpanExporter.create();

    private final OpenTelemetry telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(ended))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();

    private SpanData span(String name) {
        return ended.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aFlowIsPartOfTheTraceOfItsCaller() {
        PenstockContext.runner()
                .withBean(OpenTelemetry.class, () -> telemetry)
                .withBean(FlowedTest.Prices.class)
                .withPropertyValues("penstock.flows.prices.deadline=5s")
                .run(context -> {
                    Span caller =
                            telemetry.getTracer("test").spanBuilder("caller").startSpan();
                    try (Scope _ = caller.makeCurrent()) {
                        context.getBean(FlowedTest.Prices.class).of(() -> "7");
                    }
                    assertThat(span("prices").getParentSpanId())
                            .isEqualTo(caller.getSpanContext().getSpanId());
                    caller.end();
                });
    }

    @Test
    void aMessageContinuesTheTraceOfItsSender() {
        String trace = "0af7651916cd43dd8448eb211c80319c";
        Keyed message = name -> name.equals("traceparent") ? "00-" + trace + "-b7ad6b7169203331-01" : null;
        PenstockContext.runner().withBean(OpenTelemetry.class, () -> telemetry).run(context -> {
            context.getBean(PenstockFlows.class)
                    .listeners()
                    .of("orders", "orders")
                    .call(message, () -> null);
            assertThat(span("orders").getTraceId()).isEqualTo(trace);
        });
    }

    @Test
    void anObserverOfYoursReplacesIt() {
        List<String> followed = new CopyOnWriteArrayList<>();
        PenstockContext.runner()
                .withBean(OpenTelemetry.class, () -> telemetry)
                .withBean(
                        FlowCustomizer.class,
                        () -> (_, stages) -> stages.observer((name, _, _) -> {
                            followed.add(name);
                            return new Observation() {};
                        }))
                .run(context -> {
                    context.getBean(PenstockFlows.class)
                            .listeners()
                            .of("orders", "orders")
                            .call(_ -> null, () -> null);
                    assertThat(followed).containsExactly("orders");
                    assertThat(ended.getFinishedSpanItems()).isEmpty();
                });
    }
}
