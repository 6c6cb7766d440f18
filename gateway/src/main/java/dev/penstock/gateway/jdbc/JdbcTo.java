package dev.penstock.gateway.jdbc;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A database target with one statement.
 *
 * @param url the JDBC URL, or {@link #EMBEDDED}
 * @param user null uses the user of the URL
 * @param password null uses the password of the URL
 * @param statement one statement with named parameters
 * @param reads whether the statement is declared to have no effect
 * @param parameters sources of the values, by parameter name; a missing one is read from the body member, query
 *     parameter or header of that name
 * @param pool the connection pool
 */
record JdbcTo(
        Configured<String> url,
        @Nullable Configured<Secret> user,
        @Nullable Configured<Secret> password,
        Configured<String> statement,
        Configured<Boolean> reads,
        Map<String, Configured<Parameter>> parameters,
        PoolConfig pool)
        implements To {
    /** The embedded database: H2 in a file beside the state file. */
    static final String EMBEDDED = "embedded";

    JdbcTo {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** The source of a parameter value. */
    sealed interface Parameter {
        /**
         * A member of the JSON body.
         *
         * @param pointer a JSON pointer (RFC 6901), for instance /customer/id
         */
        record Json(String pointer) implements Parameter {}

        /**
         * A header of the request.
         *
         * @param name the header name
         */
        record Header(String name) implements Parameter {}

        /**
         * A query parameter of the request.
         *
         * @param name the parameter name
         */
        record Query(String name) implements Parameter {}
    }

    @Override
    public JdbcTo pooled(PoolConfig other) {
        return new JdbcTo(url, user, password, statement, reads, parameters, other);
    }

    @Override
    public String kind() {
        return "jdbc";
    }

    /** Omits the parameters of the URL, which may contain a password. */
    String where() {
        return url.value().replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }

    @Override
    public String toString() {
        return where();
    }
}
