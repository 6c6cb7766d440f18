package dev.penstock.observe;

import dev.penstock.CallContext;
import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Traces the transactions of flows with OpenTelemetry. Needs its API only: an SDK or an agent records the spans.
 *
 * <pre>{@code
 * Flow<HttpCall, HttpAnswer> payments = Flow.named("payments")
 *         .observer(Traces.of(GlobalOpenTelemetry.get()))
 *         .to(HttpTarget.of("https://gateway.example/v1/transactions"));
 * }</pre>
 *
 * <p>A transaction is one span with the name of its flow, each attempt a child span of kind {@code CLIENT}, and each wait an event. A
 * batch is one span with links to its transactions, which link to it; its parent is the first of them that is recorded. All have
 * attributes {@code penstock.*}, and those of OpenTelemetry's conventions for HTTP and databases; those for messaging, which are
 * not stable, if the environment variable {@value #OPT_IN} has {@code messaging}. What failed, or ended as unknown, has the
 * status {@code ERROR}.
 *
 * <p>These spans are current on the thread that runs them. The parent of a transaction is the current span, otherwise the transaction
 * that calls this flow, otherwise the sender of the request if there is a {@linkplain #reading reader}. Targets pass the trace on,
 * with the propagators of the {@link OpenTelemetry}.
 *
 * <p>Immutable.
 */
public final class Traces implements Observer {
    static final String OPT_IN = "OTEL_SEMCONV_STABILITY_OPT_IN";

    private static final TextMapGetter<Map<String, String>> FIELDS =
            (fields, name) -> fields == null ? null : fields.get(name);

    private final Tracer tracer;
    private final TextMapPropagator propagator;
    private final SpanKind kind;
    private final @Nullable RequestReader reader;
    private final boolean messaging;

    private Traces(
            Tracer tracer,
            TextMapPropagator propagator,
            SpanKind kind,
            @Nullable RequestReader reader,
            boolean messaging) {
        this.tracer = tracer;
        this.propagator = propagator;
        this.kind = kind;
        this.reader = reader;
        this.messaging = messaging;
    }

    /**
     * Traces transactions of kind {@code INTERNAL} and reads nothing from requests.
     *
     * @param openTelemetry records the spans
     */
    public static Traces of(OpenTelemetry openTelemetry) {
        String optIn = System.getenv(OPT_IN);
        return new Traces(
                openTelemetry.getTracer("dev.penstock"),
                openTelemetry.getPropagators().getTextMapPropagator(),
                SpanKind.INTERNAL,
                null,
                optIn != null && List.of(optIn.split("[, ]+")).contains("messaging"));
    }

    /**
     * A copy with another kind of transactions: {@code SERVER} for those of a server, {@code CONSUMER} for messages.
     *
     * @param of their kind
     */
    public Traces kind(SpanKind of) {
        return new Traces(tracer, propagator, of, reader, messaging);
    }

    /**
     * A copy that continues the traces of senders.
     *
     * @param by reads the requests of the flow
     */
    public Traces reading(RequestReader by) {
        return new Traces(tracer, propagator, kind, by, messaging);
    }

    @Override
    public Observation begin(String flow, @Nullable Object request, long now) {
        Context parent = parent(request);
        Span span = span(flow, flow, kind).setParent(parent).startSpan();
        if (request != null && reader != null && span.isRecording()) {
            reader.describe(request, (name, value) -> describe(span, name, value));
        }
        return new TransactionSpan(this, flow, span, parent);
    }

    private Context parent(@Nullable Object request) {
        Context current = Context.current();
        if (Span.fromContext(current).getSpanContext().isValid()) {
            return current;
        }
        Map<String, String> fields = new HashMap<>();
        Observation outer = CallContext.currentObservation();
        if (outer != null) {
            outer.propagate(fields::put);
        } else if (reader != null && request != null) {
            for (String name : propagator.fields()) {
                String value = reader.field(request, name);
                if (value != null) {
                    fields.put(name, value);
                }
            }
        }
        return fields.isEmpty() ? current : propagator.extract(current, fields, FIELDS);
    }

    SpanBuilder span(String name, String flow, SpanKind ofKind) {
        return tracer.spanBuilder(name).setSpanKind(ofKind).setAttribute("penstock.flow", flow);
    }

    void inject(Context context, BiConsumer<String, String> fields) {
        propagator.inject(context, fields, (to, name, value) -> fields.accept(name, value));
    }

    void describe(Span span, String name, Object value) {
        if (!messaging && name.startsWith("messaging.")) {
            return;
        }
        if (value instanceof Number number) {
            span.setAttribute(name, number.longValue());
        } else {
            span.setAttribute(name, value.toString());
        }
    }
}
