package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard, the alerts and the metric of the autoscaler in {@code ops}, checked by Prometheus's own tool, with the names of a
 * running gateway.
 */
@Timeout(120)
class OpsFilesRealClockTest {
    private static final Path OPS = Path.of("..", "ops");
    private static final Pattern NAME = Pattern.compile("penstock_[a-z_]+");

    @TempDir
    Path folder;

    @Test
    void eachMetricIsOneOfTheDocumentedOrPublished() throws Exception {
        Set<String> known = names(Files.readString(Path.of("..", "docs", "operate.md")));
        known.addAll(names(scrape()));
        Set<String> used = names(Files.readString(OPS.resolve("alerts.yaml")));
        queries().forEach(query -> used.addAll(names(query)));
        assertThat(used).isNotEmpty();
        assertThat(known).containsAll(used);
    }

    @Test
    @NeedsProgram("promtool")
    void theirRulesAndQueriesAreValid() throws Exception {
        assertThat(promtool("check", "rules", OPS.resolve("alerts.yaml").toString()))
                .contains("SUCCESS");
        StringBuilder rules = new StringBuilder("groups: [{ name: panels, rules: [\n");
        for (String query : queries()) {
            rules.append("  { record: panel, labels: { number: \"%d\" }, expr: '%s' },\n"
                    .formatted(rules.length(), query.replace("$__rate_interval", "1m")));
        }
        Path panels = Files.writeString(folder.resolve("panels.yaml"), rules.append("] }]\n"));
        assertThat(promtool("check", "rules", panels.toString()))
                .contains("SUCCESS: " + queries().size() + " rules");
    }

    @Test
    @NeedsProgram("promtool")
    void prometheusTakesTheMetricsOfARunningGateway() throws Exception {
        Path scraped = Files.writeString(folder.resolve("metrics.txt"), scrape());
        String problems =
                run(new ProcessBuilder(Programs.path("promtool"), "check", "metrics").redirectInput(scraped.toFile()));
        assertThat(problems.lines().filter(line -> line.startsWith("penstock") || line.contains("error")))
                .as(problems)
                .isEmpty();
    }

    private String scrape() throws Exception {
        int admin = StablePort.free();
        try (Gateway _ = Running.gateway(folder, """
                admin: { port: %d }
                flows:
                  payments:
                    from: { http: { port: %d, path: /v1/payments } }
                    to: { http: { url: "http://127.0.0.1:9/v1" } }
                    dedupe: Idempotency-Key
                """.formatted(admin, StablePort.free()))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin + "/metrics"))
                    .build();
            try (HttpClient client = HttpClient.newHttpClient()) {
                return client.send(request, BodyHandlers.ofString()).body();
            }
        }
    }

    /** The queries of all panels of the dashboard, and that of the autoscaler. */
    private static List<String> queries() throws Exception {
        List<String> all = new ArrayList<>();
        String adapter = Files.readString(OPS.resolve("kubernetes").resolve("adapter.yaml"));
        all.add(adapter.replaceFirst("(?s).*metricsQuery: >-", "")
                .replace("<<.GroupBy>>", "pod")
                .replace("<<.LabelMatchers>>", "namespace=\"default\"")
                .replaceAll("\\s+", " ")
                .strip());
        JsonNode dashboard =
                JsonMapper.shared().readTree(OPS.resolve("grafana.json").toFile());
        for (JsonNode panel : dashboard.get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                all.add(Objects.requireNonNull(target.get("expr")).asString());
            }
        }
        return all;
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text)
                .results()
                .map(MatchResult::group)
                .map(name -> name.replaceFirst("_(bucket|sum|count)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Programs.path("promtool")));
        command.addAll(List.of(arguments));
        return run(new ProcessBuilder(command));
    }

    private static String run(ProcessBuilder command) throws Exception {
        Process process = command.redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }
}
