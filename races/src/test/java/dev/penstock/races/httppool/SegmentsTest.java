package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Outcome UNKNOWN = Outcome.of(new Unknown(Unknown.Cause.CLOSED, "closed"));

    private final Segments segments = new Segments(
            new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1)),
            List.of(Closing.HEADER, Closing.FIN, Closing.RST, Closing.CUT),
            Duration.ofSeconds(5));

    SegmentsTest() {
        segments.begins(5 * SECOND);
    }

    private void ended(Outcome outcome, long end) {
        segments.ended(outcome, 0, 0, end);
    }

    @Test
    void segmentLastsUntilTheNextWindowOpens() {
        ended(UNKNOWN, 10 * SECOND - 1);
        ended(UNKNOWN, 10 * SECOND);
        ended(UNKNOWN, 20 * SECOND - 1);
        ended(UNKNOWN, 20 * SECOND);
        ended(UNKNOWN, 31 * SECOND);
        ended(UNKNOWN, 49 * SECOND);

        assertThat(segments.metrics())
                .isEqualTo(Map.of(
                        "errors_header",
                        2.0,
                        "errors_fin",
                        1.0,
                        "errors_rst",
                        1.0,
                        "errors_cut",
                        1.0,
                        "stale_used",
                        4.0));
    }

    @Test
    void waysRotate() {
        ended(UNKNOWN, 50 * SECOND);
        ended(UNKNOWN, 70 * SECOND);

        assertThat(segments.metrics()).containsEntry("errors_header", 1.0).containsEntry("errors_rst", 1.0);
    }

    @Test
    void onlyUnknownEndingsCountAsStale() {
        ended(Outcome.of(new Rejected(Rejected.Cause.POOL, "no connection")), 10 * SECOND);
        ended(Outcome.of(new Failed(Failed.Cause.CONNECT, "refused")), 10 * SECOND);
        ended(Outcome.of(new IOException("no ending: nobody can tell")), 10 * SECOND);
        ended(Outcome.WRONG, 10 * SECOND);
        ended(Outcome.RIGHT, 10 * SECOND);

        assertThat(segments.metrics()).containsEntry("errors_header", 4.0).containsEntry("stale_used", 1.0);
    }

    @Test
    void cutsDoNotCountAsStale() {
        ended(UNKNOWN, 40 * SECOND);

        assertThat(segments.metrics()).containsEntry("errors_cut", 1.0).containsEntry("stale_used", 0.0);
    }
}
