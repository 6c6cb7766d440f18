package dev.penstock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.measure.ChildUse;
import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.measure.TimeLine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What stands below a table beside the load itself. */
class ResultNotesTest {
    private static final long MS = 1_000_000;

    @Test
    void aLoadThatDidNotSettleSaysSo() {
        TimeLine steady = new TimeLine(0, List.of(1.0), Map.of(), List.of(), null);
        TimeLine unsteady = new TimeLine(0, List.of(1.0), Map.of(), List.of(), "no steady state was reached: why");

        assertThat(text(result().withTimeLine(unsteady))).contains("x: no steady state was reached: why\n");
        assertThat(text(result().withTimeLine(steady))).doesNotContain("steady");
        assertThat(text(result())).doesNotContain("steady");
    }

    @Test
    void processesBesideThisOneHaveALineEach() {
        assertThat(text(result(
                        new ChildUse("gateway", 7, 30 * MS, 90L << 20, false), new ChildUse("other", 8, -1, -1, true))))
                .contains("x: gateway used CPU 0.03 s (300 us per transaction), memory at most 90 MB\n")
                .contains("x: other used CPU n/a, memory at most n/a; it ended before the load did\n");
    }

    private static String text(LoadResult result) {
        return new ResultTable().add("x", result).text();
    }

    private static LoadResult result(ChildUse... children) {
        LoadRecorder recorder = new LoadRecorder(0, 1_000 * MS, List.of());
        for (int i = 0; i < 100; i++) {
            recorder.started(0, 0);
            recorder.ended(Outcome.RIGHT, 0, 0, 0, 100 * MS);
        }
        ProcessUse use = new ProcessUse(0, 0, 0, 0, 1, -1, List.of()).beside(List.of(children));
        return LoadResult.of("a load", recorder.finish(0), 1, 100, use);
    }
}
