package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.gateway.config.FileKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileKeysTest {
    @TempDir
    Path folder;

    private FileKeys keys(String yaml) throws Exception {
        return new Written(folder, Map.of("NAME", "one.example", "OTHER", "two.example"))
                .read(yaml)
                .keys();
    }

    private List<String> changes(String before, String now) throws Exception {
        return keys(before).changes(keys(now)).stream()
                .map(FileKeys.Change::sentence)
                .toList();
    }

    @Test
    void valuesAreComparedByKeyAndNotByPlace() throws Exception {
        String other = Written.FLOW
                .replace("{ port: 8080, path: /v1/payments }", "{ path: \"/v1/payments\", port: 8080 }")
                .replace("flows:", "# a comment\n\nflows:");
        assertThat(changes(Written.FLOW, other)).isEmpty();
        assertThat(changes(
                        Written.FLOW + "    deadline: 5s\n    retry: { attempts: 3 }\n",
                        Written.FLOW.replace("8080", "8081") + "    deadline: 2s\n    limit: { min: 2, max: 4 }\n"))
                .containsExactly(
                        "flows.payments.deadline: 5s -> 2s",
                        "flows.payments.from.http.port: 8080 -> 8081",
                        "flows.payments.limit.max: added, 4",
                        "flows.payments.limit.min: added, 2",
                        "flows.payments.retry.attempts: removed, was 3");
    }

    @Test
    void listsAreComparedByPosition() throws Exception {
        String two = Written.FLOW.replace(
                "\"https://gateway.example/v1\"", "[\"https://a.example\", \"https://b.example\"]");
        assertThat(changes(two, two.replace("b.example", "c.example")))
                .containsExactly("flows.payments.to.http.url[1]: https://b.example -> https://c.example");
    }

    @Test
    void placeholdersAreComparedFilledInAndShownAsWritten() throws Exception {
        String named = Written.FLOW.replace("gateway.example", "${NAME}");
        assertThat(changes(Written.FLOW.replace("gateway.example", "one.example"), named))
                .isEmpty();
        assertThat(changes(named, named.replace("NAME", "OTHER")))
                .containsExactly("flows.payments.to.http.url: https://${NAME}/v1 -> https://${OTHER}/v1");
    }

    @Test
    void secretsAreNotShownAndFollowTheirFile() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "first-0123456789");
        String written = "admin: { port: 0, token: %s }\n" + Written.FLOW;
        FileKeys literal = keys(written.formatted("literal-0123456789"));
        FileKeys file = keys(written.formatted("\"${file:secret}\""));
        assertThat(literal.shown()).containsEntry("admin.token", "(hidden)");
        assertThat(literal.changes(file))
                .extracting(FileKeys.Change::sentence, FileKeys.Change::effect)
                .containsExactly(tuple("admin.token: changed, (hidden)", "needs a restart"));
        Files.writeString(secret, "second-0123456789");
        assertThat(file.changes(keys(written.formatted("\"${file:secret}\"")))).isEmpty();
    }

    @Test
    void urlsAreShownWithoutPasswordsAndParameters() throws Exception {
        FileKeys keys = keys(Written.FLOW.replace("v1\"", "v1?key=s3cr3t\""));
        assertThat(keys.shown()).containsEntry("flows.payments.to.http.url", "https://gateway.example/v1?...");
        assertThat(keys.changes(keys(Written.FLOW.replace("v1\"", "v1?key=other\""))))
                .singleElement()
                .extracting(FileKeys.Change::sentence)
                .isEqualTo("flows.payments.to.http.url: changed, https://gateway.example/v1?...");
    }
}
