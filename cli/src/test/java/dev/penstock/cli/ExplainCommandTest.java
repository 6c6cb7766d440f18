package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowSchema;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code penstock explain} and {@code penstock schema}. */
class ExplainCommandTest {
    @TempDir
    private Path folder;

    private static Ran explain(String... key) {
        return Ran.run(new ExplainCommand(), key);
    }

    @Test
    void showsValuesDefaultAndAliasesOfAKey() {
        Ran ran = explain("from.http.idle_time");
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isEqualTo("""
                flows.NAME.from.http.idle_time
                  how long a connection of a client may be idle; pool.idle is about connections to the target
                  value:    10ms..1h
                  default:  1m
                  aliases:  keep_alive (only understood in hints of errors)
                """);
    }

    @Test
    void showsTheExampleOfARequiredKey() {
        assertThat(explain("flows.NAME.from.http.path").out()).isEqualTo("""
                flows.NAME.from.http.path
                  the path of the requests; paths below it belong to the flow too
                  value:    a path
                  default:  required
                  example:  path: /v1/payments
                  aliases:  url (only understood in hints of errors)
                """);
    }

    @Test
    void showsTheKeysOfAMapping() {
        assertThat(explain("from.http").out())
                .startsWith("flows.NAME.from.http\n")
                .contains("\n  keys:     port, host, path, max_body, ");
    }

    @Test
    void showsEachKeyWhosePathEndsSo() {
        assertThat(explain("pool.max").out())
                .contains("flows.NAME.pool.max\n", "\npool.max\n")
                .doesNotContain("collapse.max");
        assertThat(explain("weight").out()).startsWith("flows.NAME.collapse.weight, with to.http\n");
    }

    @Test
    void withoutAKeyListsAll() {
        Ran ran = explain();
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .isEqualTo(FlowSchema.load().paths())
                .contains("flows.NAME.retry.attempts", "admin.port", "flows.NAME.from.http.max_connections");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry.atempts | did you mean retry.attempts?",
                "pool.maxAnser | did you mean pool.max_answer?",
                "settle.questions | did you mean settle.queries?",
                "keep_alive | did you mean idle_time or idle?",
                "from.http.keep_alive | did you mean from.http.idle_time?",
                "flows.NAME.from.http.bind | did you mean flows.NAME.from.http.host?",
                "live | for all keys: penstock explain",
                "qqqqqqqq | for all keys: penstock explain"
            })
    void unknownKeyIsWrongUsageWithAHint(String key, String hint) {
        assertThat(explain(key)).isEqualTo(new Ran(2, "", "unknown key '" + key + "'; " + hint));
    }

    @Test
    void folderWithoutJarsIsWrongUsage() {
        String empty = folder.toString();
        for (Ran ran :
                new Ran[] {explain("--lib", empty, "retry.attempts"), Ran.run(new SchemaCommand(), "--lib", empty)}) {
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).startsWith("no jars found in " + empty).doesNotContain("\n");
        }
    }

    @Test
    void schemaIsThatWithWhichFlowFilesAreChecked() {
        Ran ran = Ran.run(new SchemaCommand());
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isEqualTo(FlowSchema.load().json()).endsWith("}\n");
        assertThat(EditorSchema.JSON
                        .readTree(ran.out())
                        .at("/properties/flows/type")
                        .asString())
                .isEqualTo("object");
    }
}
