package dev.penstock.gateway.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code from}: the kind of source and its settings. */
final class FromReader {
    static final String EXAMPLE = "http: { port: 8080, path: /v1/payments }";
    private static final Keys FROM = Keys.of("from", "http", "jms", "udp")
            .later("jdbc")
            .aliases(Map.of("https", "http", "queue", "jms", "amqp", "jms", "artemis", "jms", "datagram", "udp"));

    private FromReader() {}

    static @Nullable From read(@Nullable ConfigValue value) {
        ConfigMapping from = value == null ? null : value.mapping(FROM, "from: { " + EXAMPLE + " }");
        if (from == null) {
            return null;
        }
        ConfigValue other = from.get("jms") == null ? from.get("udp") : from.get("jms");
        if (other == null) {
            ConfigValue http = from.required("http", EXAMPLE);
            return http == null ? null : HttpReader.from(http);
        }
        from.values().stream()
                .filter(one -> one != other)
                .findFirst()
                .ifPresent(beside -> other.refuse(
                        "is combined with 'from." + beside.key() + "'",
                        "a flow has one source; define a flow for each"));
        return other.key().equals("jms") ? JmsReader.from(other) : UdpReader.from(other);
    }
}
