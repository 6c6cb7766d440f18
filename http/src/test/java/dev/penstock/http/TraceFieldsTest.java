package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.Observation;
import dev.penstock.flow.Flow;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TraceFieldsTest {
    private static final HttpCall CALL = HttpCall.post("/pay?secret=1", "{}")
            .withHeader("traceparent", "old")
            .withHeader("tracestate", "a=old")
            .withHeader("X-Other", "kept");

    private final Map<String, Object> attributes = new LinkedHashMap<>();

    private final class Passing implements Observation {
        private final Map<String, String> fields;

        Passing(Map<String, String> fields) {
            this.fields = fields;
        }

        @Override
        public void attribute(String name, Object value) {
            attributes.put(name, value);
        }

        @Override
        public void propagate(BiConsumer<String, String> to) {
            fields.forEach(to);
        }
    }

    /** The fields of a trace as the target receives them. */
    private List<String> received(@Nullable Observation observation) throws Exception {
        List<String> received = new ArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            for (String name : List.of("traceparent", "tracestate", "X-Other")) {
                exchange.getRequestHeaders()
                        .getOrDefault(name, List.of())
                        .forEach(value -> received.add(name + "=" + value));
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try (HttpTarget target =
                HttpTarget.of("http://127.0.0.1:" + server.getAddress().getPort())) {
            Flow<HttpCall, HttpAnswer> flow = observation == null
                    ? Flow.named("f").to(target)
                    : Flow.named("f")
                            .observer((name, request, now) -> observation)
                            .to(target);
            assertThat(flow.call(CALL).status()).isEqualTo(204);
            assertThat(target.where()).doesNotContain("secret");
        } finally {
            server.stop(0);
        }
        return received;
    }

    @Test
    void theFieldsOfTheTraceReplaceThoseOfTheRequest() throws Exception {
        assertThat(received(new Passing(Map.of("traceparent", "new", "tracestate", "a=new"))))
                .containsExactly("traceparent=new", "tracestate=a=new", "X-Other=kept");
        assertThat(attributes)
                .containsEntry("http.request.method", "POST")
                .containsEntry("server.address", "127.0.0.1")
                .containsEntry("http.response.status_code", 204)
                .hasEntrySatisfying(
                        "url.full", url -> assertThat(url.toString()).endsWith("/pay"));
    }

    @Test
    void aStateOfAnotherParentIsDropped() throws Exception {
        assertThat(received(new Passing(Map.of("traceparent", "new"))))
                .containsExactly("traceparent=new", "X-Other=kept");
    }

    @Test
    void withoutATraceTheFieldsPassUnchanged() throws Exception {
        List<String> unchanged = List.of("traceparent=old", "tracestate=a=old", "X-Other=kept");
        assertThat(received(new Passing(Map.of()))).isEqualTo(unchanged);
        assertThat(received(null)).isEqualTo(unchanged);
    }

    @Test
    void methodsOfClientsHaveOneName() {
        Map<String, Object> described = new LinkedHashMap<>();
        HttpCall.of("BREW", "/pot?key=1", CALL.headers(), CALL.body()).describe(described::put);
        assertThat(described).containsEntry("http.request.method", "_OTHER").containsEntry("url.path", "/pot");
    }
}
