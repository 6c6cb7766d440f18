package dev.penstock.gateway.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.Written;
import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdbcReaderTest {
    private static final String INSERT = "statement: \"insert into p(id, amount) values (:id, :amount)\"";
    private static final String SELECT = "statement: \"select id, name from p where id in (:id)\", reads: true";
    private static final String URL = "url: \"jdbc:h2:mem:x\"";

    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("PASSWORD", "s3cr3t"));
    }

    private static String flow(String to, String... lines) {
        return "flows:\n  a:\n    from: { http: { port: 8080, path: /a } }\n    to: { jdbc: { " + to + " } }\n    "
                + String.join("\n    ", lines) + "\n";
    }

    private List<String> errors(String to, String... lines) {
        return written.errors(flow(to, lines));
    }

    @Test
    void readsDatabaseWithStatement() throws Exception {
        FlowConfig flow = written.read(flow(
                        "url: \"jdbc:postgresql://db/x?password=s3cr3t\", user: me, password: \"${PASSWORD}\", "
                                + INSERT + ", parameters: { id: { header: Order-Id }, amount: { json: /a/b } }",
                        "pool: { max: 20, idle: 5m, connect_timeout: 2s }",
                        "collapse: { max: 50, budget: 5ms, key: id }"))
                .config()
                .flows()
                .getFirst();
        JdbcTo to = (JdbcTo) flow.to();
        assertThat(to.parameters().values())
                .extracting(Configured::value)
                .containsExactly(new Parameter.Header("Order-Id"), new Parameter.Json("/a/b"));
        assertThat(Objects.requireNonNull(to.pool().idle()).value()).isEqualTo(Duration.ofMinutes(5));
        assertThat(Objects.requireNonNull(((JdbcCollapse) Objects.requireNonNull(flow.collapse())).key())
                        .value())
                .isEqualTo("id");
        assertThat(to.toString()).isEqualTo("jdbc:postgresql://db/x");
    }

    @Test
    void readsCollapseAuto() throws Exception {
        assertThat(written.read(flow("url: embedded, " + INSERT, "collapse: auto"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void planShowsItAndOpensNothing() throws Exception {
        String plan = GatewayPlan.of(written.read(flow(
                                "url: \"jdbc:h2:file:" + folder.resolve("db") + ";USER=me\", " + INSERT,
                                "collapse: { key: id }"))
                        .config())
                .text();
        assertThat(plan)
                .contains("-> jdbc:h2:file:" + folder.resolve("db") + "\n")
                .containsPattern("statement +insert into p")
                .containsPattern("collapse.key +id")
                .doesNotContain("USER=me");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("f.yaml");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "statement: \"select 1\" | 4:11: to.jdbc has no 'url'; add for instance url: \"jdbc:postgresql://db.example/billing\", or url: embedded",
                "url: embedded | 4:11: to.jdbc has no 'statement'; add for instance statement: \"insert into payment values (:id, :amount)\"",
                "url: \"http://h/\", statement: \"select 1\" | 4:24: 'to.jdbc.url' is not a database URL; write for instance jdbc:postgresql://db.example/billing, or embedded",
                "url: \"jdbc:oracle:thin:@h\", statement: \"select 1\" | 4:24: 'to.jdbc.url' has no JDBC driver; put the jar of its driver into the folder lib beside the flow file, or name its folder with --lib DIR (PostgreSQL and H2 need none), or correct the URL",
                "url: embedded, statement: \"select ?\" | 4:45: 'to.jdbc.statement': positional parameters (?) are not supported; write :name, or ?? for PostgreSQL's operator",
                "url: embedded, sql: \"select 1\", statement: \"select 1\" | 4:34: unknown key 'sql' in to.jdbc; did you mean 'statement'?",
                "url: embedded, statement: \"select :a\", parameters: { b: { json: /b } } | 4:72: the statement has no parameter 'b'; it has a",
                "url: embedded, statement: \"select :a\", parameters: { a: { json: b } } | 4:83: 'to.jdbc.parameters.a.json' is \"b\", which is not a JSON pointer; write for instance /customer/id",
                "url: embedded, statement: \"select :a\", parameters: { a: {} } | 4:75: 'to.jdbc.parameters.a' needs one source; write { json: /customer/id }, { header: Name } or { query: name }",
            })
    void reportsMistakesWithLocation(String to, String message) {
        assertThat(errors(to.strip())).containsExactly("f.yaml:" + message.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "settle: { url: \"https://h/{Id}\", not_there: 404 } | 'settle' queries over HTTP",
                "collapse: { url: \"https://h/\" } | unknown key 'url' in collapse",
                "collapse: { key: nobody } | 'collapse' does not fit the statement: the statement has no parameter nobody",
                "collapse: { lookup: id } | 'collapse' does not fit the statement",
                "tls: {} | unknown key 'tls'",
            })
    void rejectsSettingsThatDoNotFitADatabase(String line, String message) {
        assertThat(errors(URL + ", " + INSERT, line.strip()))
                .singleElement()
                .asString()
                .contains(message.strip());
    }

    /** A database accepts less than the key, which is for HTTP too; the plan shows the range that is checked. */
    @ParameterizedTest
    @CsvSource({
        "max, 5000, 1000, 1..1000, max must be 1 to 1000",
        "max, 1001, 1000, 1..1000, max must be 1 to 1000",
        "idle, 99ms, 100ms, 100ms..24h, idleKill must be 100ms to 24h",
        "max_age, 999ms, 1s, 1s..24h, maxAge must be 1s to 24h",
        "connect_timeout, 11m, 10m, 1ms..10m, connectTimeout must be 1ms to 10m",
    })
    void rejectsValuesBeyondTheRangeOfADatabase(String key, String beyond, String bound, String range, String message)
            throws Exception {
        String to = URL + ", " + INSERT;
        assertThat(errors(to, "pool: { " + key + ": " + beyond + " }"))
                .containsExactly("f.yaml:5:" + (15 + key.length()) + ": 'pool." + key
                        + "' is not valid for a database: " + message + ", not " + beyond);
        FlowFile atBound = written.read(flow(to, "pool: { " + key + ": " + bound + " }"));
        assertThat(GatewayPlan.of(atBound.config()).text())
                .containsPattern("\n  pool[.]" + key + " .* " + Pattern.quote(range) + " +file ");
    }

    @Test
    void checksLookupAgainstItsStatement() throws Exception {
        assertThat(written.read(flow(URL + ", " + SELECT, "collapse: { lookup: id }"))
                        .warnings())
                .isEmpty();
        assertThat(errors(URL + ", " + SELECT, "collapse: { key: id }"))
                .singleElement()
                .asString()
                .contains("'collapse.key' keeps writes in order, but this statement reads");
        assertThat(errors(URL + ", " + SELECT, "collapse: auto"))
                .singleElement()
                .asString()
                .contains("collapse: { lookup: COLUMN }");
        assertThat(errors(
                        URL + ", statement: \"select a from b where c = :n\", reads: true", "collapse: { lookup: c }"))
                .singleElement()
                .asString()
                .contains("where id in (:id)");
    }

    @Test
    void warnsOfAQueryThatIsNotDeclared() throws Exception {
        String query = URL + ", statement: \"SELECT 1\"";
        assertThat(written.read(flow(query)).warnings())
                .singleElement()
                .asString()
                .contains("add reads: true if it has no effect, else reads: false");
        assertThat(written.read(flow(query + ", reads: false")).warnings()).isEmpty();
    }
}
