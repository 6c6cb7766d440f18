package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowConfig.To;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads {@code to}: the kind of target and its settings. */
final class ToReader {
    private static final Keys TO =
            Keys.of("to", "http (https), jdbc (sql database postgresql), jms (queue), udp (datagram), replace (find)");
    private static final List<String> OTHER_KINDS = List.of("jdbc", "jms", "udp", "replace");

    private String kind = "http";

    @Nullable
    To read(@Nullable ConfigValue given, @Nullable ConfigValue pool) {
        PoolConfig connections = PoolConfig.read(pool);
        ConfigMapping to = given == null ? null : given.mapping(TO, "to: { " + HttpReader.TO_EXAMPLE + " }");
        if (to == null) {
            return null;
        }
        ConfigValue other = OTHER_KINDS.stream()
                .map(to::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (other == null) {
            ConfigValue http = to.required("http", HttpReader.TO_EXAMPLE);
            return http == null ? null : HttpReader.to(http, connections);
        }
        kind = other.key();
        if (to.values().size() > 1) {
            String beside = to.values().stream()
                    .filter(value -> value != other)
                    .map(value -> "'to." + value.key() + "'")
                    .findFirst()
                    .orElse("");
            other.refuse("is combined with " + beside, "a flow has one target; define a flow for each");
        }
        if (kind.equals("jdbc")) {
            return new JdbcReader().to(other, connections);
        }
        if (pool != null) {
            pool.refuse("only applies to HTTP and databases", "remove it: " + instead());
        }
        return switch (kind) {
            case "jms" -> JmsReader.to(other);
            case "udp" -> UdpReader.to(other);
            default -> ReplaceTo.read(other);
        };
    }

    private String instead() {
        return switch (kind) {
            case "jms" -> "a queue uses a few connections of its own";
            case "udp" -> "datagrams use one socket";
            default -> "find and replace uses none";
        };
    }

    /** The kind of the target read last, as far as known. */
    String kind() {
        return kind;
    }
}
