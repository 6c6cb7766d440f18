package dev.penstock.gateway.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code to}: which kind of target, and what is its own. */
final class ToReader {
    private static final Keys TO = Keys.of("to", "http", "jdbc", "jms")
            .later("udp")
            .meant(Map.of("https", "http", "sql", "jdbc", "database", "jdbc", "postgresql", "jdbc", "queue", "jms"));

    private final Reading reading;
    private String kind = "http";

    ToReader(Reading reading) {
        this.reading = reading;
    }

    @Nullable
    To read(@Nullable Value given, @Nullable Value pool) {
        PoolConfig connections = PoolReader.pool(pool);
        Mapping to = given == null ? null : given.mapping(TO, "to: { " + HttpReader.TO_EXAMPLE + " }");
        if (to == null) {
            return null;
        }
        Value other = to.get("jdbc") == null ? to.get("jms") : to.get("jdbc");
        if (other == null) {
            Value http = to.required("http", HttpReader.TO_EXAMPLE);
            return http == null ? null : new HttpReader(reading).to(http, connections);
        }
        kind = other.key();
        if (to.values().size() > 1) {
            String beside = to.values().stream()
                    .filter(value -> value != other)
                    .map(value -> "'to." + value.key() + "'")
                    .findFirst()
                    .orElse("");
            other.refuse("is there beside " + beside, "a flow goes to one of them; give each a flow");
        }
        if (kind.equals("jdbc")) {
            return new JdbcReader().to(other, connections);
        }
        if (pool != null) {
            pool.refuse("is of connections to HTTP or a database", "leave it out: a queue has a few of its own");
        }
        return JmsReader.to(other);
    }

    /** What was read last goes to, as far as can be told. */
    String kind() {
        return kind;
    }
}
