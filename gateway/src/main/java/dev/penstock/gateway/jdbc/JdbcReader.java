package dev.penstock.gateway.jdbc;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import dev.penstock.gateway.transport.JsonBody;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys of {@code to.jdbc}. */
final class JdbcReader {
    private static final String EXAMPLE =
            "jdbc: { url: \"jdbc:postgresql://db.example/billing\", statement: \"insert into payment values (:id)\" }";

    private static final Schema SOURCE =
            Schema.of("a parameter", "{ json: /customer/id }").single();
    private static final Key<Parameter> JSON = SOURCE.key(
                    "json", JsonBody.POINTER.<Parameter>to(Parameter.Json::new), "a place in the body")
            .alias("body path field");
    private static final Key<Parameter> HEADER =
            SOURCE.key("header", KeyType.text().to(Parameter.Header::new), "a header of the request");
    private static final Key<Parameter> QUERY =
            SOURCE.key("query", KeyType.text().to(Parameter.Query::new), "a parameter of the query");
    private static final Schema PARAMETERS_BY_NAME = Schema.named(
            "parameters", "parameters: { id: { json: /id } }", KeyType.mapping(SOURCE, JdbcReader::parameter));

    private static final Schema JDBC = Schema.of("to.jdbc", EXAMPLE);
    private static final Key<String> URL = JDBC.key(
                    "url", KeyType.text("a JDBC URL, or embedded", JdbcReader::url), "the database")
            .required("url: \"jdbc:postgresql://db.example/billing\", or url: embedded")
            .alias("uri host");
    private static final Key<Secret> USER =
            JDBC.key("user", KeyType.user(), "the user of the database").alias("username");
    private static final Key<Secret> PASSWORD = JDBC.key("password", KeyType.secret(), "the password of that user");
    private static final Key<String> STATEMENT = JDBC.key(
                    "statement",
                    KeyType.text(),
                    "the SQL that each request runs, in a transaction of its own; :NAME is a parameter")
            .required("statement: \"insert into payment values (:id, :amount)\"")
            .alias("sql query");
    private static final Key<Boolean> READS = JDBC.key(
                    "reads",
                    KeyType.bool(),
                    "whether the statement has no effect: GET may run it, and a lost one may be repeated")
            .or(false)
            .alias("read_only");
    private static final Key<Map<String, Configured<Parameter>>> PARAMETERS = JDBC.key(
                    "parameters",
                    KeyType.mapping(PARAMETERS_BY_NAME, JdbcReader::parameters),
                    "where the parameters come from, by name")
            .without("the member of the body, the query or the header of that name")
            .alias("params");
    static final Key<JdbcTo> TO =
            Key.of("jdbc", KeyType.keys(JDBC, JdbcReader::to), "a database").alias("sql database postgresql");

    private JdbcReader() {}

    private static @Nullable JdbcTo to(ConfigMapping given) {
        Configured<String> url = given.find(URL);
        Configured<String> statement = given.find(STATEMENT);
        Configured<Secret> user = given.find(USER);
        Configured<Secret> password = given.find(PASSWORD);
        Map<String, Configured<Parameter>> parameters = given.valueOf(PARAMETERS);
        return url == null || statement == null
                ? null
                : new JdbcTo(
                        url,
                        user,
                        password,
                        statement,
                        given.get(READS),
                        parameters == null ? Map.of() : parameters,
                        PoolConfig.AUTOMATIC);
    }

    private static @Nullable String url(ConfigValue value) {
        String url = value.text();
        if (url == null || url.equals(JdbcTo.EMBEDDED)) {
            return url;
        }
        if (!url.startsWith("jdbc:")) {
            // Not shown: it may contain a password.
            value.refuse(
                    "is not a database URL", "write for instance jdbc:postgresql://db.example/billing, or embedded");
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

    private static Map<String, Configured<Parameter>> parameters(ConfigValue value) {
        Map<String, Configured<Parameter>> parameters = new LinkedHashMap<>();
        ConfigMapping given = value.mapping(PARAMETERS_BY_NAME);
        if (given != null) {
            for (ConfigValue each : given.values()) {
                Parameter parameter = parameter(each);
                if (parameter != null) {
                    parameters.put(each.key(), Configured.fromFile(parameter, each.keyLocation()));
                }
            }
        }
        return parameters;
    }

    private static @Nullable Parameter parameter(ConfigValue value) {
        ConfigMapping source = value.mapping(SOURCE);
        if (source == null) {
            return null;
        }
        if (source.values().size() != 1) {
            value.refuse("needs one source", "write { json: /customer/id }, { header: Name } or { query: name }");
            return null;
        }
        return Stream.of(JSON, HEADER, QUERY)
                .map(source::valueOf)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
