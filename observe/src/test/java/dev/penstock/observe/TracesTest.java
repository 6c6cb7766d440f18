package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CallContext;
import dev.penstock.Collapse;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TracesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final Traces traces = Traces.of(sdk(Sampler.parentBased(Sampler.alwaysOn())));

    private OpenTelemetrySdk sdk(Sampler sampler) {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .setSampler(sampler)
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                        W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
                .build();
    }

    private SpanData span(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable String text(SpanData span, String name) {
        return span.getAttributes().get(AttributeKey.stringKey(name));
    }

    private static Map<String, String> propagated() {
        Map<String, String> fields = new HashMap<>();
        Objects.requireNonNull(CallContext.currentObservation()).propagate(fields::put);
        return fields;
    }

    @Test
    void attemptsAreChildrenAndWaitsAreEvents() throws Exception {
        ManualTicker ticker = new ManualTicker();
        AtomicInteger calls = new AtomicInteger();
        Flow<String, String> flow = Flow.named("f")
                .ticker(ticker)
                .random(new Random(1))
                .retry(Retry.whenNotSent())
                .observer(traces)
                .to(request -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new Failed(Failed.Cause.CONNECT, "refused");
                    }
                    return Span.current().getSpanContext().getSpanId();
                });
        FutureTask<String> call = new FutureTask<>(() -> flow.call("a"));
        Thread.ofVirtual().start(call);
        ticker.awaitParked(1);
        ticker.advance(Duration.ofMinutes(1));
        String current = call.get();
        List<SpanData> all = spans.getFinishedSpanItems();
        assertThat(all).extracting(SpanData::getName).containsExactly("f attempt", "f attempt", "f");
        assertThat(all.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(all.get(0), "penstock.cause")).isEqualTo("connect");
        assertThat(all.get(1).getSpanId()).isEqualTo(current);
        assertThat(all.get(1).getKind()).isEqualTo(SpanKind.CLIENT);
        SpanData transaction = all.get(2);
        assertThat(all.subList(0, 2)).extracting(SpanData::getParentSpanId).containsOnly(transaction.getSpanId());
        assertThat(text(transaction, "penstock.ending")).isEqualTo("answered");
        assertThat(transaction.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(transaction.getEvents())
                .singleElement()
                .satisfies(event -> assertThat(event.getAttributes().get(AttributeKey.stringKey("penstock.wait")))
                        .isEqualTo("retry"));
    }

    @Test
    void endingsWithoutAnAnswerHaveTheirCause() {
        Flow<String, String> flow = Flow.named("f").observer(traces).to(request -> {
            throw new Unknown(Unknown.Cause.CLOSED, "reset");
        });
        assertThatThrownBy(() -> flow.call("a")).isInstanceOf(Unknown.class);
        flow.drain(Duration.ZERO);
        assertThatThrownBy(() -> flow.call("b")).isInstanceOf(Rejected.class);
        SpanData unknown = spans.getFinishedSpanItems().get(1);
        SpanData rejected = spans.getFinishedSpanItems().get(2);
        assertThat(unknown.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(text(unknown, "error.type")).isEqualTo("closed");
        assertThat(text(rejected, "penstock.cause")).isEqualTo("draining");
        assertThat(rejected.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void anUnsampledTransactionPassesOnItsTraceAndIsNotDescribed() throws Exception {
        Flow<String, String> flow = Flow.named("f")
                .observer(Observers.all(Traces.of(sdk(Sampler.alwaysOff()))))
                .to(request -> {
                    assertThat(Objects.requireNonNull(CallContext.currentObservation())
                                    .readsAttributes())
                            .isFalse();
                    assertThat(propagated().get("traceparent"))
                            .startsWith("00-" + Span.current().getSpanContext().getTraceId() + "-"
                                    + Span.current().getSpanContext().getSpanId());
                    return request;
                });
        assertThat(flow.call("a")).isEqualTo("a");
        assertThat(spans.getFinishedSpanItems()).isEmpty();
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
    }

    @Test
    void theTraceOfTheSenderContinues() throws Exception {
        Traces reading = traces.kind(SpanKind.SERVER).reading(new RequestReader() {
            @Override
            public @Nullable String field(Object request, String name) {
                return Map.of("traceparent", PARENT, "tracestate", "a=b", "baggage", "k=v")
                        .get(name);
            }
        });
        Map<String, String> sent = new HashMap<>();
        Flow<String, String> inner = Flow.named("inner").observer(reading).to(request -> {
            sent.putAll(propagated());
            return request;
        });
        // A call that does not honor deadlines runs on a thread of its own.
        Flow<String, String> outer = Flow.named("outer")
                .deadline(Duration.ofMinutes(1))
                .observer(reading)
                .to(inner::call);
        assertThat(outer.call("a")).isEqualTo("a");
        assertThat(spans.getFinishedSpanItems())
                .extracting(SpanData::getTraceId)
                .containsOnly(TRACE);
        assertThat(span("outer").getParentSpanId()).isEqualTo("b7ad6b7169203331");
        assertThat(span("outer").getKind()).isEqualTo(SpanKind.SERVER);
        assertThat(span("outer attempt").getParentSpanId())
                .isEqualTo(span("outer").getSpanId());
        assertThat(span("inner").getParentSpanId())
                .isEqualTo(span("outer attempt").getSpanId());
        assertThat(sent)
                .containsEntry(
                        "traceparent",
                        "00-" + TRACE + "-" + span("inner attempt").getSpanId() + "-01")
                .containsEntry("tracestate", "a=b")
                .containsEntry("baggage", "k=v");
    }

    @Test
    void aBatchIsLinkedWithItsTransactions() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        List<Map<String, String>> each = new ArrayList<>();
        Flow<String, String> flow = Flow.named("f")
                .concurrency(1)
                .observer(traces)
                .to(Collapse.<String, String>into(requests -> {
                    called.countDown();
                    open.await();
                    Observation batch = Objects.requireNonNull(CallContext.currentObservation());
                    batch.attribute("db.system.name", "h2database");
                    batch.attribute("messaging.system", "jms");
                    each.clear();
                    for (int i = 0; i < requests.size(); i++) {
                        Map<String, String> fields = new HashMap<>();
                        batch.propagate(i, requests.size(), fields::put);
                        each.add(fields);
                    }
                    return requests;
                }));
        List<FutureTask<String>> calls = new ArrayList<>();
        calls.add(start(flow, "x"));
        called.await();
        calls.add(start(flow, "a"));
        calls.add(start(flow, "b"));
        while (Objects.requireNonNull(flow.batches()).waiting() < 2) {
            Thread.onSpinWait();
        }
        open.countDown();
        for (FutureTask<String> call : calls) {
            call.get();
        }
        SpanData batch = spans.getFinishedSpanItems().stream()
                .filter(span ->
                        span.getName().equals("f batch") && span.getLinks().size() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(batch.getAttributes().get(AttributeKey.longKey("penstock.batch.size")))
                .isEqualTo(2);
        assertThat(batch.getAttributes().get(AttributeKey.longKey("db.operation.batch.size")))
                .isEqualTo(2);
        assertThat(text(batch, "messaging.system")).isNull();
        List<SpanData> transactions = spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("f")
                        && span.getLinks().getFirst().getSpanContext().equals(batch.getSpanContext()))
                .toList();
        assertThat(transactions).hasSize(2);
        assertThat(batch.getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactlyInAnyOrderElementsOf(
                        transactions.stream().map(SpanData::getSpanId).toList());
        assertThat(batch.getParentSpanId())
                .isEqualTo(batch.getLinks().getFirst().getSpanContext().getSpanId());
        assertThat(each)
                .extracting(fields -> fields.getOrDefault("traceparent", "").split("-", -1)[2])
                .containsExactlyElementsOf(batch.getLinks().stream()
                        .map(link -> link.getSpanContext().getSpanId())
                        .toList());
    }

    private static FutureTask<String> start(Flow<String, String> flow, String request) {
        FutureTask<String> call = new FutureTask<>(() -> flow.call(request));
        Thread.ofVirtual().start(call);
        return call;
    }

    @Test
    void whatIsNotSampledIsPassedOnAndNotRecorded() throws Exception {
        Map<String, String> sent = new HashMap<>();
        Flow<String, String> flow = Flow.named("f")
                .observer(Traces.of(sdk(Sampler.alwaysOff())))
                .to(request -> {
                    sent.putAll(propagated());
                    return request;
                });
        assertThat(flow.call("a")).isEqualTo("a");
        assertThat(spans.getFinishedSpanItems()).isEmpty();
        assertThat(sent.get("traceparent")).matches(".*-0[02]");
    }
}
