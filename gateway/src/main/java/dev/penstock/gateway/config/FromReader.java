package dev.penstock.gateway.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code from}: which kind of source, and what is its own. */
final class FromReader {
    static final String EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final Keys FROM = Keys.of("from", "http", "jms")
            .later("jdbc", "udp")
            .meant(Map.of("https", "http", "queue", "jms", "amqp", "jms", "artemis", "jms"));

    private FromReader() {}

    static @Nullable From read(@Nullable Value value) {
        Mapping from = value == null ? null : value.mapping(FROM, "from: { " + EXAMPLE + " }");
        if (from == null) {
            return null;
        }
        Value jms = from.get("jms");
        if (jms == null) {
            Value http = from.required("http", EXAMPLE);
            return http == null ? null : HttpReader.from(http);
        }
        if (from.get("http") != null) {
            jms.refuse("is there beside 'from.http'", "a flow comes from one of them; give each a flow");
        }
        return JmsReader.from(jms);
    }
}
