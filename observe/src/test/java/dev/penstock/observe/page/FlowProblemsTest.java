package dev.penstock.observe.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Target.EndpointReport;
import dev.penstock.observe.FlowSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowProblemsTest {
    private static final long SECOND = 1_000_000_000L;

    private long now;

    private static FlowSnapshot at(long answered, long unknown, Map<String, String> errors, EndpointReport... servers) {
        Accounting account = new Accounting(answered + unknown, answered, 0, 0, unknown, 0, Map.of());
        return Snapshots.of(
                account, List.of(), List.of(), List.of(), Map.of(), Map.of(), errors, List.of(servers), null);
    }

    private List<String> next(FlowProblems problems, FlowSnapshot snapshot) {
        now += SECOND;
        return problems.next(snapshot, List.of(), now);
    }

    @Test
    void aFlowWhoseTransactionsAreNotAnsweredHasAProblemUntilTheyAre() {
        FlowProblems problems = new FlowProblems(at(0, 0, Map.of()), now);
        for (int second = 1; second <= 60; second++) {
            assertThat(next(problems, at(10 * second, 0, Map.of()))).isEmpty();
        }
        assertThat(next(problems, at(600, 10, Map.of()))).hasSize(1);
        assertThat(next(problems, at(600, 10, Map.of()))).as("no traffic").hasSize(1);
        List<String> last = List.of("not asked yet");
        for (int second = 1; second <= 60; second++) {
            last = next(problems, at(600 + 10 * second, 10, Map.of()));
        }
        assertThat(last).isEmpty();
    }

    @Test
    void frequentErrorsUnreachablePeersAndEjectedServersAreProblems() {
        FlowSnapshot snapshot = at(
                1,
                0,
                Map.of("5xx", "the target answered 9 % of recent calls with 5xx"),
                new EndpointReport("http://a/", 0, 5, 5, 0, 1, true, Duration.ofSeconds(1)),
                new EndpointReport("http://b/", 0, 5, 0, 0, 0, false, Duration.ZERO));
        assertThat(new FlowProblems(snapshot, now).next(snapshot, List.of("unknown host"), now + SECOND))
                .containsExactly(
                        "unknown host",
                        "the target answered 9 % of recent calls with 5xx",
                        "server http://a/ is ejected: it only failed");
    }
}
