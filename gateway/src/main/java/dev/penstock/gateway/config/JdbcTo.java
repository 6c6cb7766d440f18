package dev.penstock.gateway.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A statement at a database.
 *
 * @param url where it is, as its driver writes it; or {@link #EMBEDDED}
 * @param user null for what the URL says
 * @param password null for what the URL says
 * @param statement one statement with parameters by name
 * @param parameters where the values come from, by name; of those that are left out, the member of the body, of the query or
 *     the header of that name
 * @param pool its connections
 */
public record JdbcTo(
        Configured<String> url,
        @Nullable Configured<String> user,
        @Nullable Configured<Secret> password,
        Configured<String> statement,
        Map<String, Configured<Parameter>> parameters,
        PoolConfig pool)
        implements To {
    /** Stands for a database of Penstock's own, H2 in a file beside the state file. */
    public static final String EMBEDDED = "embedded";

    public JdbcTo {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    }

    /** Where the value of a parameter comes from. */
    public sealed interface Parameter {
        /**
         * The body, which is JSON.
         *
         * @param pointer the place in it, as RFC 6901 writes it: /customer/id
         */
        record Json(String pointer) implements Parameter {}

        /**
         * A header of the request.
         *
         * @param name its name
         */
        record Header(String name) implements Parameter {}

        /**
         * The query of the request.
         *
         * @param name what stands before the equals sign
         */
        record Query(String name) implements Parameter {}
    }

    @Override
    public String kind() {
        return "jdbc";
    }

    /** Without what stands behind the place of the database, which may be a password. */
    public String where() {
        return url.value().replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }

    @Override
    public String toString() {
        return where();
    }
}
