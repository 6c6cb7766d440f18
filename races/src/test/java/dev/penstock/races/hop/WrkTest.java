package dev.penstock.races.hop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WrkTest {
    private static final String LINE =
            "report requests=1000 duration_us=2000000 bytes=1200000 connect=0 read=1 write=0 status=3"
                    + " timeout=2 mean_us=500 max_us=9000 p50_us=400 p90_us=700 p99_us=2500 p999_us=8000";

    @Test
    void readsExactNumbersFromTheMarkedLine() throws IOException {
        Wrk wrk = Wrk.read(List.of("Running 2s test @ http://127.0.0.1:1/hop", LINE, "Requests/sec: 12.34k"));
        assertThat(wrk.requests()).isEqualTo(1_000);
        assertThat(wrk.bytes()).isEqualTo(1_200_000);
        assertThat(wrk.seconds()).isEqualTo(2);
        assertThat(wrk.metrics())
                .containsEntry("tps", 498.5)
                .containsEntry("p99_ms", 2.5)
                .containsEntry("p999_ms", 8.0)
                .containsEntry("errors", 6.0);
    }

    @Test
    void reportsUnexpectedOutput() {
        assertThatThrownBy(() -> Wrk.read(List.of("unable to connect to 127.0.0.1:1 Connection refused")))
                .isInstanceOf(IOException.class)
                .hasMessage("unexpected output from wrk: unable to connect to 127.0.0.1:1 Connection refused");
    }

    @Test
    void countsAnswersOfAnotherSizeAsErrors() {
        Answer answer = new Answer(1_200);
        assertThat(answer.wrongIn(1_000, 1_200_000, 64)).isZero();
        assertThat(answer.wrongIn(1_000, 1_200_000 + 64 * 1_200, 64)).isZero();
        assertThat(answer.wrongIn(1_000, 1_200_000 - 2_400, 64)).isEqualTo(2);
        assertThat(answer.wrongIn(1_000, 1_200_000 + 65 * 1_200, 64)).isEqualTo(1);
    }
}
