package dev.penstock.lab.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.LiveLine.Style;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveLineTest {
    private static final long SECOND = 1_000_000_000;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Test
    void onATerminalOneLineIsRewrittenAndTakenAwayInTheEnd() {
        try (LiveLine line = line(Style.REWRITTEN, 80)) {
            line.show(0, "1s of 3s");
            line.show(1, "2s of 3s");
        }
        assertThat(shown()).isEqualTo("\r\033[K\033[1m1s\033[0m of 3s\r\033[K\033[1m2s\033[0m of 3s\r\033[K");
    }

    @Test
    void withoutColourNothingIsBold() {
        line(Style.REWRITTEN_PLAIN, 80).show(0, "1s of 3s");
        assertThat(shown()).isEqualTo("\r\033[K1s of 3s");
    }

    @Test
    void aLineIsCutToTheWidthOfTheTerminal() {
        line(Style.REWRITTEN_PLAIN, 21).show(0, "abcdefghijklmnopqrstuvwxyz");
        assertThat(shown()).isEqualTo("\r\033[Kabcdefghijklmnopqrst");
    }

    @Test
    void elsewhereAPlainLineComesEveryFiveSeconds() {
        try (LiveLine line = line(Style.LINES, 80)) {
            for (int second = 0; second < 11; second++) {
                line.show(Long.MAX_VALUE - 3 * SECOND + second * SECOND, second + "s");
            }
        }
        assertThat(shown().lines()).containsExactly("0s", "5s", "10s");
    }

    @Test
    void quietIsSilent() {
        try (LiveLine line = line(Style.QUIET, 80)) {
            line.show(0, "1s");
        }
        assertThat(shown()).isEmpty();
    }

    @Test
    void theStyleFollowsTheUserTheTerminalAndTheEnvironment() {
        assertThat(Style.of(true, true, Map.of())).isEqualTo(Style.QUIET);
        assertThat(Style.of(false, false, Map.of())).isEqualTo(Style.LINES);
        assertThat(Style.of(false, true, Map.of())).isEqualTo(Style.REWRITTEN);
        assertThat(Style.of(false, true, Map.of("NO_COLOR", ""))).isEqualTo(Style.REWRITTEN);
        assertThat(Style.of(false, true, Map.of("NO_COLOR", "1"))).isEqualTo(Style.REWRITTEN_PLAIN);
        assertThat(Style.of(false, true, Map.of("TERM", "dumb"))).isEqualTo(Style.LINES);
    }

    private LiveLine line(Style style, int columns) {
        return new LiveLine(new PrintStream(bytes, true, UTF_8), style, columns);
    }

    private String shown() {
        return bytes.toString(UTF_8);
    }
}
