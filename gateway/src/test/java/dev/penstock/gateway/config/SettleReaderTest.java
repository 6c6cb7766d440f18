package dev.penstock.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.file.Written;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads and builds {@code settle} and {@code idempotent}; their error messages are in one-wrong-line.txt. */
class SettleReaderTest {
    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("GATEWAY", "https://gateway.example", "TOKEN", "s3cr3t"));
    }

    private FlowConfig flow(String lines) throws BadConfig {
        return written.readWith(lines).config().flows().getFirst();
    }

    private String plan(String lines) throws BadConfig {
        return GatewayPlan.of(written.readWith(lines).config()).text();
    }

    /** The rows of a plan whose setting begins with a word, without the columns that are equal in all. */
    private static List<String> rows(String plan, String word) {
        return plan.lines()
                .map(line -> line.strip().split(" {2,}"))
                .filter(row -> row[0].startsWith(word) && row.length == 5)
                .map(row -> row[0] + " " + row[1] + " " + row[3])
                .toList();
    }

    @Test
    void withoutThemNoStatusIsQueriedAndNothingIsIdempotent() throws Exception {
        FlowConfig flow = flow("deadline: 5s");
        assertThat(flow.settle()).isNull();
        assertThat(flow.idempotent()).isEqualTo(Configured.byDefault(false));
        assertThat(plan("deadline: 5s")).doesNotContain("settle", "idempotent");
    }

    @Test
    void onlyUrlIsRequired() throws Exception {
        SettleConfig settle = Objects.requireNonNull(
                flow("settle: { url: \"https://h/{Id}\" }").settle());
        assertThat(settle)
                .isEqualTo(new SettleConfig(
                        new FileLocation(5, 13),
                        Configured.fromFile("https://h/{Id}", new FileLocation(5, 20)),
                        null,
                        Configured.byDefault(404),
                        Configured.byDefault(Duration.ofSeconds(1)),
                        Configured.byDefault(3)));
    }

    @Test
    void readsEveryKeyAndPrintsNoSecret() throws Exception {
        SettleConfig settle = Objects.requireNonNull(
                flow("settle: { url: \"${GATEWAY}/{Id}?t=${TOKEN}\", headers: { Authorization: \"${TOKEN}\" }, not_there: 410, after: 200ms, questions: 5 }")
                        .settle());
        assertThat(settle.url().value()).isEqualTo("https://gateway.example/{Id}?t=s3cr3t");
        assertThat(settle.headers()).isEqualTo(Map.of("Authorization", new Secret("s3cr3t")));
        assertThat(settle.absentStatus().value()).isEqualTo(410);
        assertThat(settle.after().value()).isEqualTo(Duration.ofMillis(200));
        assertThat(settle.queries().value()).isEqualTo(5);
        assertThat(settle).hasToString("settle by https://gateway.example/{Id}");
    }

    @Test
    void planShowsStatusUrlAndOriginOfEachSetting() throws Exception {
        String plan = plan(
                "retry: { attempts: 3 }\n    settle: { url: \"https://other.example?t=s3cr3t&r={Id}\", after: 200ms }");
        assertThat(plan)
                .contains("\n  meter > deadline > retry > settle > breaker > limit > target\n")
                .doesNotContain("s3cr3t");
        assertThat(rows(plan, "settle."))
                .containsExactly(
                        "settle.after 200 ms file",
                        "settle.queries 3 default",
                        "settle.url https://other.example/ file",
                        "settle.by Id file",
                        "settle.absent_status 404 default");
        assertThat(plan("settle: { url: \"https://h/{Id}\", not_there: 410 }"))
                .contains("\n  meter > deadline > settle > breaker > limit > target\n")
                .containsPattern("settle.absent_status +410 +204, 400..499 +file");
    }

    @Test
    void planShowsIdempotent() throws Exception {
        String plan = plan("retry: { attempts: 3 }\n    idempotent: true");
        assertThat(rows(plan, "idempotent")).containsExactly("idempotent true file");
        assertThat(plan).contains("unknown endings too, as requests are declared idempotent");
        assertThat(plan("retry: { attempts: 3 }\n    idempotent: \"${NONE:false}\""))
                .contains("only what was not sent");
    }

    @ParameterizedTest
    @CsvSource({
        "https://gateway.example/{Id}",
        "HTTPS://Gateway.Example:443/v1/{Id}/status?x=1&y={Other}",
        "http://gateway.example/{Id}",
        "http://[::1]:81?r={Id}",
        "https://other.example/~a/b-c/%20{Id}",
    })
    void everyAcceptedUrlCanBeBuilt(String url) throws Exception {
        assertThat(rows(plan("settle: { url: \"" + url + "\" }"), "settle.url")).hasSize(1);
    }
}
