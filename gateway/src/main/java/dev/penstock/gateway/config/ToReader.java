package dev.penstock.gateway.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code to}: which kind of target, and what is its own. */
final class ToReader {
    private static final Keys TO = Keys.of("to", "http", "jdbc")
            .later("jms", "udp")
            .meant(Map.of("https", "http", "sql", "jdbc", "database", "jdbc", "postgresql", "jdbc"));

    private final Reading reading;
    private boolean isJdbc;

    ToReader(Reading reading) {
        this.reading = reading;
    }

    @Nullable
    To read(@Nullable Value value, @Nullable Value pool) {
        PoolConfig connections = PoolReader.pool(pool);
        Mapping to = value == null ? null : value.mapping(TO, "to: { " + HttpReader.TO_EXAMPLE + " }");
        if (to == null) {
            return null;
        }
        Value jdbc = to.get("jdbc");
        if (jdbc == null) {
            Value http = to.required("http", HttpReader.TO_EXAMPLE);
            return http == null ? null : new HttpReader(reading).to(http, connections);
        }
        isJdbc = true;
        if (to.get("http") != null) {
            jdbc.refuse("is there beside 'to.http'", "a flow goes to one of them; give each a flow");
        }
        return new JdbcReader().to(jdbc, connections);
    }

    /** Whether what was read last goes to a database, as far as can be told. */
    boolean isJdbc() {
        return isJdbc;
    }
}
