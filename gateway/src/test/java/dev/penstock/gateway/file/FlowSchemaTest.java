package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is declared about a key, as {@code explain} and the reference show it. */
class FlowSchemaTest {
    private static final FlowSchema SCHEMA = FlowSchema.load();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "deadline         |",
                "limit            | limit, with one server",
                "limit.max        |",
                "queue.time       | queue.time, with one server",
                "pool.max         | pool.max, with one server, over HTTP/1.1",
            })
    void explainsWhetherASettingCanBePinned(String key, String pin) {
        String text = SCHEMA.explain("flows.NAME." + key);
        if (pin == null) {
            assertThat(text).doesNotContain("pin: ");
        } else {
            assertThat(text).contains("\n  pin:      POST /settings/FLOW/" + pin + "\n");
        }
    }

    /** Passwords and what else may contain one: headers, and properties of a client. */
    @Test
    void marksEveryKeyThatMayContainASecret() {
        assertThat(SCHEMA.secret())
                .contains("flows.NAME.to.http.headers", "flows.NAME.to.http.proxy.password", "admin.token")
                .containsExactlyInAnyOrderElementsOf(SCHEMA.paths().stream()
                        .filter(path -> path.matches(".*[.](password|token|view_token|headers|properties)"))
                        .toList());
        assertThat(SCHEMA.explain("admin.token")).contains("\n  secret:   no output shows it\n");
        assertThat(SCHEMA.explain("admin.port")).doesNotContain("secret:");
    }

    @Test
    void theTablesMarkBoth() {
        assertThat(SCHEMA.markdown())
                .contains(
                        "wait for the limit. *Pinnable* with one server |\n",
                        "requests in a batch. *Pinnable* |\n",
                        "| the password of that user. *Secret* |\n");
    }
}
