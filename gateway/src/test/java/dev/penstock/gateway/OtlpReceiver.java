package dev.penstock.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Receives traces over OTLP/HTTP. */
final class OtlpReceiver implements AutoCloseable {
    final List<Span> spans = new CopyOnWriteArrayList<>();
    final List<String> services = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    OtlpReceiver() throws IOException {
        server = Running.target(this::receive);
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals("/v1/traces")) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
            request.getResourceSpansList().forEach(resource -> {
                resource.getResource().getAttributesList().stream()
                        .filter(attribute -> attribute.getKey().equals("service.name"))
                        .forEach(attribute -> services.add(attribute.getValue().getStringValue()));
                resource.getScopeSpansList().stream()
                        .map(ScopeSpans::getSpansList)
                        .forEach(spans::addAll);
            });
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> named(String name) {
        return spans.stream().filter(span -> span.getName().equals(name)).toList();
    }

    Span only(String name) {
        List<Span> found = named(name);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " spans '" + name + "' of "
                    + spans.stream().map(Span::getName).toList());
        }
        return found.getFirst();
    }

    static String id(Span span) {
        return HexFormat.of().formatHex(span.getSpanId().toByteArray());
    }

    static String trace(Span span) {
        return HexFormat.of().formatHex(span.getTraceId().toByteArray());
    }

    static String parent(Span span) {
        return HexFormat.of().formatHex(span.getParentSpanId().toByteArray());
    }

    static String attribute(Span span, String name) {
        return span.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals(name))
                .map(attribute -> attribute.getValue().hasIntValue()
                        ? Long.toString(attribute.getValue().getIntValue())
                        : attribute.getValue().getStringValue())
                .findFirst()
                .orElse("");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
