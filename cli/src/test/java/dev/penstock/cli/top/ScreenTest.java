package dev.penstock.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.top.AdminPages.Snapshot;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ScreenTest {
    private static final String FLOWS = """
            [{"name": "payments", "from": "http://127.0.0.1:1/", "to": "http://127.0.0.1:2/",
              "accounting": {"offered": 12000, "answered": 11900, "rejected": 0, "failed": 0, "unknown": 0,
                             "in_flight": 100, "holds": true},
              "stages": [{"stage": "flow", "in_flight": 100, "capacity": 0, "p50_ms": 503.1, "p99_ms": 510},
                         {"stage": "target", "in_flight": 90, "capacity": 180}],
              "bottleneck": {"stage": "target", "sentence": "the target takes 99 % of the time",
                             "stages": [{"stage": "target", "arrivals_per_second": 199.96, "service_ms": 501.2,
                                         "utilisation": 0.5, "of_latency": 0.99}]},
              "connections": {"leased": 90, "idle": 3}, "messages": {}, "datagrams": {}, "lost": {},
              "advice": ["run sysctl"]}]
            """;
    private static final String SETTINGS = """
            [{"name": "payments", "settings": [
              {"name": "limit", "value": "180", "source": "learned", "reason": "flat from 170"},
              {"name": "deadline", "value": "5 s", "source": "file", "reason": "given"}]}]
            """;

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static List<String> lines(int columns, String flows) {
        return new Screen(columns).of("penstock", new Snapshot("ok", json(flows), json(SETTINGS)));
    }

    @Test
    void showsTheFlowWithItsStagesAndMarksTheBottleneck() {
        assertThat(lines(160, FLOWS))
                .containsExactly(
                        "penstock",
                        "",
                        "flow payments  http://127.0.0.1:1/ -> http://127.0.0.1:2/",
                        "  the target takes 99 % of the time",
                        "  offered 12,000  answered 11,900  rejected 0  failed 0  unknown 0  in flight 100",
                        "  stage   per s  in flight   of  used  p50 ms  p99 ms  service ms  latency",
                        "  flow                 100              503.1   510.0",
                        "* target  200.0         90  180  50 %                       501.2     99 %",
                        "  connections: leased 90, idle 3",
                        "  advice: run sysctl",
                        "  limit 180 (learned): flat from 170");
    }

    @ParameterizedTest
    @ValueSource(ints = {24, 37, 55, 70, 80})
    void showsWholeNumbersAtEveryWidth(int columns) {
        List<String> wide = words(160);
        assertThat(words(columns)).isSubsetOf(wide);
        assertThat(lines(columns, FLOWS)).allMatch(line -> line.length() <= columns);
    }

    private static List<String> words(int columns) {
        return Pattern.compile("\\s+")
                .splitAsStream(String.join(" ", lines(columns, FLOWS)))
                .filter(word -> Character.isDigit(word.charAt(0)))
                .toList();
    }

    @Test
    void theDefaultWidthHasTheTimes() {
        assertThat(lines(80, FLOWS)).contains("  flow                 100              503.1   510.0");
    }

    @Test
    void cutsLinesAndWrapsSentencesOnANarrowTerminal() {
        assertThat(lines(24, FLOWS))
                .allMatch(line -> line.length() <= 24)
                .contains("  the target takes 99 %", "    of the time");
    }

    @Test
    void escapesControlCharactersFromTheNetwork() {
        String flows = FLOWS.replace("the target takes", "\\u001b[2Jthe target takes");
        assertThat(lines(160, flows)).noneMatch(line -> line.contains("\033"));
    }

    @Test
    void reportsUnbalancedAccounting() {
        assertThat(lines(160, FLOWS.replace("\"holds\": true", "\"holds\": false")))
                .anyMatch(line -> line.endsWith("ACCOUNTING NOT BALANCED"));
    }
}
