package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.races.httppool.Client.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentsTest {
    private static final long SECOND = 1_000_000_000;
    private static final Reply RIGHT = new Reply(200, "approved");
    private static final Reply WRONG = new Reply(503, "try later");
    private static final Unknown UNKNOWN = new Unknown(Unknown.Cause.CLOSED, "closed");

    private final Segments segments = new Segments(
            new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1)),
            List.of(Closing.HEADER, Closing.FIN, Closing.RST, Closing.CUT));

    @Test
    void segmentLastsUntilTheNextWindowOpens() {
        segments.threw(10 * SECOND - 1, UNKNOWN);
        segments.threw(10 * SECOND, UNKNOWN);
        segments.threw(20 * SECOND - 1, UNKNOWN);
        segments.threw(20 * SECOND, UNKNOWN);
        segments.threw(31 * SECOND, UNKNOWN);
        segments.threw(49 * SECOND, UNKNOWN);

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
        segments.threw(50 * SECOND, UNKNOWN);
        segments.threw(70 * SECOND, UNKNOWN);

        assertThat(segments.metrics()).containsEntry("errors_header", 1.0).containsEntry("errors_rst", 1.0);
    }

    @Test
    void onlyUnknownEndingsCountAsStale() {
        segments.threw(10 * SECOND, new Rejected(Rejected.Cause.POOL, "no connection"));
        segments.threw(10 * SECOND, new Failed(Failed.Cause.CONNECT, "refused"));
        segments.threw(10 * SECOND, new IOException("no ending: nobody can tell"));
        segments.answered(10 * SECOND, WRONG);
        segments.answered(10 * SECOND, RIGHT);

        assertThat(segments.metrics()).containsEntry("errors_header", 4.0).containsEntry("stale_used", 1.0);
    }

    @Test
    void cutsDoNotCountAsStale() {
        segments.threw(40 * SECOND, UNKNOWN);

        assertThat(segments.metrics()).containsEntry("errors_cut", 1.0).containsEntry("stale_used", 0.0);
    }
}
