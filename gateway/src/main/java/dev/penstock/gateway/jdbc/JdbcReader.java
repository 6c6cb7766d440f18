package dev.penstock.gateway.jdbc;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code to.jdbc}. */
final class JdbcReader {
    private static final String EXAMPLE =
            "jdbc: { url: \"jdbc:postgresql://db.example/billing\", statement: \"insert into payment values (:id)\" }";

    private static final Keys JDBC =
            Keys.of("to.jdbc", "url (uri host), user (username), password, statement (sql query), parameters (params)");
    private static final Keys SOURCE = Keys.of("a parameter", "json (body path field), header, query");

    private JdbcReader() {}

    static @Nullable JdbcTo to(ConfigValue value, PoolConfig pool) {
        ConfigMapping given = value.mapping(JDBC, EXAMPLE);
        if (given == null) {
            return null;
        }
        Configured<String> url = given.required(
                "url", "url: \"jdbc:postgresql://db.example/billing\", or url: embedded", JdbcReader::url);
        Configured<String> statement = given.required(
                "statement", "statement: \"insert into payment values (:id, :amount)\"", ConfigValue::text);
        Configured<String> user = given.ifGiven("user", ConfigValue::text);
        Configured<Secret> password = given.ifGiven("password", ConfigValue::secret);
        Map<String, Configured<Parameter>> parameters = parameters(given.get("parameters"));
        return url == null || statement == null ? null : new JdbcTo(url, user, password, statement, parameters, pool);
    }

    private static @Nullable String url(ConfigValue value) {
        String url = value.text();
        if (url == null || url.equals(JdbcTo.EMBEDDED)) {
            return url;
        }
        if (!url.startsWith("jdbc:")) {
            value.refuseValue(
                    "which is not a database URL",
                    "write for instance jdbc:postgresql://db.example/billing, or embedded");
            return null;
        }
        try {
            DriverManager.getDriver(url);
            return url;
        } catch (SQLException none) {
            value.refuse(
                    "has no JDBC driver",
                    "put the jar of its driver into the folder lib beside the flow file, or name its folder with --lib DIR"
                            + " (PostgreSQL and H2 need none), or correct the URL");
            return null;
        }
    }

    private static Map<String, Configured<Parameter>> parameters(@Nullable ConfigValue value) {
        Map<String, Configured<Parameter>> parameters = new LinkedHashMap<>();
        ConfigMapping given =
                value == null ? null : value.mapping(Keys.any("parameters"), "parameters: { id: { json: /id } }");
        if (given != null) {
            for (ConfigValue each : given.values()) {
                Parameter parameter = parameter(each);
                if (parameter != null) {
                    parameters.put(each.key(), Configured.inFile(parameter, each.keyLocation()));
                }
            }
        }
        return parameters;
    }

    private static @Nullable Parameter parameter(ConfigValue value) {
        ConfigMapping source = value.mapping(SOURCE, "{ json: /customer/id }");
        if (source == null) {
            return null;
        }
        List<ConfigValue> values = List.copyOf(source.values());
        if (values.size() != 1) {
            value.refuse("needs one source", "write { json: /customer/id }, { header: Name } or { query: name }");
            return null;
        }
        ConfigValue from = values.getFirst();
        String text = from.text();
        if (text == null) {
            return null;
        }
        if (from.key().equals("json") && !text.matches("(/([^~/]|~[01])*)+")) {
            from.refuseValue("which is not a JSON pointer", "write for instance /customer/id");
            return null;
        }
        return switch (from.key()) {
            case "json" -> new Parameter.Json(text);
            case "header" -> new Parameter.Header(text);
            default -> new Parameter.Query(text);
        };
    }
}
