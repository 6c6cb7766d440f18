package dev.penstock.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.GatewayPlan;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.file.Written;
import dev.penstock.gateway.http.HttpCollapse.Format;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and builds {@code collapse}; its error messages are in one-wrong-line.txt. */
class HttpCollapseTest {
    private static final String URL = "url: \"https://gateway.example/batch\"";

    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("GATEWAY", "https://gateway.example", "TOKEN", "s3cr3t"));
    }

    private HttpCollapse collapse(String keys) throws BadConfig {
        FlowConfig flow =
                written.readWith("collapse: { " + keys + " }").config().flows().getFirst();
        return (HttpCollapse) Objects.requireNonNull(flow.collapse());
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
    void withoutCollapseEachRequestIsACall() throws Exception {
        assertThat(written.readWith("deadline: 5s").config().flows().getFirst().collapse())
                .isNull();
        assertThat(plan("deadline: 5s")).doesNotContain("collapse");
    }

    @Test
    void onlyUrlIsRequired() throws Exception {
        assertThat(collapse(URL))
                .isEqualTo(new HttpCollapse(
                        new FileLocation(5, 15),
                        Configured.fromFile("https://gateway.example/batch", new FileLocation(5, 22)),
                        null,
                        Configured.byDefault(","),
                        null,
                        null,
                        Configured.byDefault(Format.JSON_ARRAY),
                        Configured.byDefault(100),
                        null,
                        null,
                        null,
                        null,
                        null,
                        Configured.byDefault(false),
                        Configured.byDefault(true)));
    }

    @Test
    void readsEveryKeyAndPrintsNoSecret() throws Exception {
        HttpCollapse all = collapse("url: \"${GATEWAY}/b?t=${TOKEN}\", headers: { Authorization: \"${TOKEN}\" }, "
                + "format: ndjson, max: 50, budget: 2.5%, key: id, status: code, in_body: ref, "
                + "per: \"Tenant, Region\", same: true, halve: false");
        assertThat(all.url().value()).isEqualTo("https://gateway.example/b?t=s3cr3t");
        assertThat(all.headers()).isEqualTo(Map.of("Authorization", new Secret("s3cr3t")));
        assertThat(all.format().value()).isEqualTo(Format.NDJSON);
        assertThat(all.max().value()).isEqualTo(50);
        assertThat(Objects.requireNonNull(all.budget()).value()).isEqualTo(new Budget.Share(0.025));
        assertThat(Objects.requireNonNull(all.key()).value()).isEqualTo("id");
        assertThat(Objects.requireNonNull(all.status()).value()).isEqualTo("code");
        assertThat(Objects.requireNonNull(all.inBody()).value()).isEqualTo("ref");
        assertThat(Objects.requireNonNull(all.per()).value()).containsExactly("Tenant", "Region");
        assertThat(all.same().value()).isTrue();
        assertThat(all.halve().value()).isFalse();
        assertThat(all).hasToString("collapse into https://gateway.example/b");
    }

    @Test
    void budgetIsAShareADurationOrAutomatic() throws Exception {
        assertThat(collapse(URL + ", budget: auto").budget()).isNull();
        assertThat(Objects.requireNonNull(collapse(URL + ", budget: 20ms").budget())
                        .value())
                .isEqualTo(new Budget.Time(Duration.ofMillis(20)));
        for (String share : List.of("0%", "100%", "\"5 %\"", "12.345%")) {
            assertThat(Objects.requireNonNull(
                                    collapse(URL + ", budget: " + share).budget())
                            .value())
                    .isInstanceOf(Budget.Share.class);
        }
    }

    @Test
    void planShowsBatchUrlAndGrouping() throws Exception {
        String plan = plan(
                "collapse: { url: \"https://gateway.example/batch?t=${TOKEN}\", max: 50, in_body: ref, key: id, status: code, same: true }");
        assertThat(plan).doesNotContain("s3cr3t");
        assertThat(rows(plan, "collapse."))
                .contains(
                        "collapse.url https://gateway.example/batch file",
                        "collapse.format json-array default",
                        "collapse.key id file",
                        "collapse.status code file",
                        "collapse.same true file",
                        "collapse.max 50 file",
                        "collapse.max_bytes 1MB default",
                        "collapse.per every header default",
                        "collapse.in_body ref file")
                .noneMatch(row -> row.startsWith("collapse.pool."));
        assertThat(rows(plan, "pool.wait")).hasSize(1);
    }

    @Test
    void batchTargetOnAnotherHostHasItsOwnConnections() throws Exception {
        String plan = plan("collapse: { url: \"https://other.example/batch\" }");
        assertThat(rows(plan, "collapse.pool.")).contains("collapse.pool.max auto default");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://gateway.example",
                "https://gateway.example:443/batch?x=1",
                "HTTPS://Gateway.Example/batch",
                "http://[::1]:81?r=1",
                "https://other.example/~a/b-c/%20"
            })
    void everyAcceptedUrlCanBeBuilt(String url) throws Exception {
        assertThat(rows(plan("collapse: { url: \"" + url + "\" }"), "collapse.url"))
                .hasSize(1);
    }

    @Test
    void getHasATemplateForIds() throws Exception {
        HttpCollapse all = collapse(
                "get: \"${GATEWAY}/n?t=${TOKEN}&ids={id}\", join: \"%7C\", key: id, max: 50, per: Tenant, halve: false");
        assertThat(all.url().value()).isEqualTo("https://gateway.example");
        assertThat(all.get()).hasToString("GET /n?ids={id}");
        assertThat(all.join().value()).isEqualTo("%7C");
        assertThat(all.toString()).isEqualTo("collapse into https://gateway.example");
        HttpCollapse sum = collapse("get: \"https://gateway.example?n={n}\", weight: /howMany");
        assertThat(Objects.requireNonNull(sum.weight()).value()).isEqualTo("/howMany");
        assertThat(sum.get()).hasToString("GET /?n={n}");
    }

    @Test
    void anInvalidTemplateIsReportedWithoutItsSecret() {
        assertThat(written.errorsWith("collapse: { get: \"https://h/n?t=${TOKEN}\" }"))
                .containsExactly(
                        "f.yaml:5:22: 'collapse.get' has no placeholder for the ids: write it like /n?ids={id}");
    }

    @Test
    void planShowsTheTemplate() throws Exception {
        String plan =
                plan("collapse: { get: \"https://gateway.example/n?t=${TOKEN}&ids={id}\", join: \"&ids=\", key: id }");
        assertThat(plan).doesNotContain("s3cr3t");
        assertThat(rows(plan, "collapse."))
                .contains(
                        "collapse.url https://gateway.example/ file",
                        "collapse.format GET /n?ids={id} file",
                        "collapse.join &ids= file",
                        "collapse.key id file")
                .noneMatch(row -> row.startsWith("collapse.pool."));
        String other = plan("collapse: { get: \"https://other.example/n?n={n}\", weight: /howMany }");
        assertThat(rows(other, "collapse.pool.")).contains("collapse.pool.max auto default");
        assertThat(rows(other, "collapse.weight")).containsExactly("collapse.weight /howMany file");
    }

    @Test
    void warnsThatRequestsWithAKeyAreNotBatched() throws Exception {
        String warned =
                "f.yaml:6:15: warning: requests of flow 'payments' with the header Key are not batched, because a batch cannot carry one header per request; if the request bodies contain the value too, name that JSON member, for instance in_body: reference";
        String keyed = Written.FLOW + "    retry: { key: Key }\n    collapse: { " + URL;
        assertThat(written.warnings(keyed + " }\n")).containsExactly(warned);
        assertThat(written.warnings(keyed + ", in_body: ref }\n")).isEmpty();
        String settled = Written.FLOW + "    settle: { url: \"https://h/{Key}\" }\n    collapse: { " + URL;
        assertThat(written.warnings(settled + " }\n")).containsExactly(warned);
    }
}
