package dev.penstock.gateway.telemetry;

import dev.penstock.Keyed;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.http.HttpCall;
import dev.penstock.observe.RequestReader;
import io.opentelemetry.api.trace.SpanKind;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of flows.
 *
 * @param kind the kind of transactions
 * @param scheme of the URLs of its source
 */
record CallReader(SpanKind kind, String scheme) implements RequestReader {
    static CallReader of(FlowConfig flow) {
        SpanKind kind = switch (flow.from().kind()) {
            case "http" -> SpanKind.SERVER;
            case "jms" -> SpanKind.CONSUMER;
            default -> SpanKind.INTERNAL;
        };
        FlowConfig.Listener listener = flow.from().listener();
        return new CallReader(kind, listener == null || listener.tls() == null ? "http" : "https");
    }

    @Override
    public @Nullable String field(Object request, String name) {
        return switch (request) {
            case HttpCall call -> call.headers().first(name);
            case Keyed other -> other.key(name);
            default -> null;
        };
    }

    @Override
    public void describe(Object request, BiConsumer<String, Object> attributes) {
        if (kind == SpanKind.SERVER && request instanceof HttpCall call) {
            call.describe(attributes);
            attributes.accept("url.scheme", scheme);
        }
    }
}
