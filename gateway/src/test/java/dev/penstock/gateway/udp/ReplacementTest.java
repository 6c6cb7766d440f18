package dev.penstock.gateway.udp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.file.Written;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Find and replace: lists of steps, and regular expressions. */
class ReplacementTest {
    @TempDir
    Path folder;

    private static String replaced(Replacement replacement, String body) {
        return new String(replacement.in(body.getBytes(UTF_8)), UTF_8);
    }

    @Test
    void eachStepWorksOnTheResultOfTheOneBefore() {
        Replacement steps = Replacement.all(List.of(
                Replacement.text("PENDING", "OPEN"),
                Replacement.regex("OPEN(\\d+)", "<$1>"),
                Replacement.text("é", "e")));
        assertThat(replaced(steps, "PENDING12 é OPENx")).isEqualTo("<12> e OPENx");
    }

    @Test
    void groupsAreChecked() {
        assertThat(replaced(Replacement.regex("(?P<day>\\d\\d)\\.(\\d\\d)", "$2-${day}"), "24.11"))
                .isEqualTo("11-24");
        assertThatThrownBy(() -> Replacement.regex("(a)", "$2")).hasMessage("it has no group for $2");
        assertThatThrownBy(() -> Replacement.regex("(a)", "${x}")).hasMessage("it has no group for ${x}");
        assertThatThrownBy(() -> Replacement.regex("é", "e")).hasMessageContaining("xC3");
    }

    @Test
    void bytesElsewhereStayAsTheyAre() {
        byte[] body = new byte[256];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) i;
        }
        byte[] replaced = Replacement.regex("B+", "ü").in(body);
        assertThat(new String(replaced, ISO_8859_1).replace("Ã¼", "B")).isEqualTo(new String(body, ISO_8859_1));
    }

    @Test
    void takesLinearTime() {
        Replacement nested = Replacement.regex("(a*)*b", "x");
        Assertions.assertTimeout(Duration.ofSeconds(20), () -> replaced(nested, "a".repeat(20_000)));
    }

    @Test
    void answersDatagrams() throws Exception {
        ByteBuffer answer = ByteBuffer.allocate(8);
        assertThat(Replacement.regex("a", "bb").inline().answer(ByteBuffer.wrap("xax".getBytes(UTF_8)), answer))
                .isTrue();
        assertThat(new String(answer.array(), 0, answer.position(), UTF_8)).isEqualTo("xbbx");
    }

    @Test
    void readsAListOfSteps() throws Exception {
        ReplaceTo to = (ReplaceTo) new Written(folder)
                .read(file("[ { find: a, with: b }, { find: \"c+\", with: d, regex: true } ]"))
                .config()
                .flows()
                .getFirst()
                .to();
        assertThat(to.steps()).extracting(step -> step.regex().value()).containsExactly(false, true);
    }

    @Test
    void reportsWrongSteps() {
        assertThat(new Written(folder).errors(file("[ { find: \"(a\", with: b, regex: true }, { find: x } ]")))
                .containsExactly(
                        "f.yaml:4:30: 'to.replace.find' is not a regular expression that RE2 supports (missing closing ));"
                                + " correct it; look-around and back references do not exist there",
                        "f.yaml:4:60: to.replace has no 'with'; add for instance with: \"ACCEPTED\", or with: \"\"");
        assertThat(new Written(folder).errors(file("[]")).getFirst()).contains("'to.replace' is an empty list");
    }

    private static String file(String steps) {
        return """
                flows:
                  a:
                    from: { udp: { port: 9000 } }
                    to: { replace: %s }
                """.formatted(steps);
    }
}
