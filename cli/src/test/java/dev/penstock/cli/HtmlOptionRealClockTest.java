package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The option {@code --html} of measuring commands. */
@Timeout(120)
class HtmlOptionRealClockTest {
    @TempDir
    private Path folder;

    @Test
    void writesAPageOfWhatWasMeasured() throws IOException {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Path html = folder.resolve("load.html");
            Ran ran = Ran.run(
                    new LoadCommand(),
                    simulator.url() + "/pay?token=hush",
                    "--quiet",
                    "--rate=200",
                    "--for=500ms",
                    "--html=" + html);

            assertThat(ran.err()).isEmpty();
            assertThat(Files.readString(html))
                    .startsWith("<!doctype html>")
                    .contains("<h1>load</h1>", "/pay?***", "--rate=200", "TPS")
                    .doesNotContain("hush");
        }
    }

    @Test
    void raceWritesItsPageBesideItsOtherFiles() throws IOException {
        Ran ran = Ran.run(
                new RaceCommand(), "tiny", "--contestant=ours", "--contestant=peer", "--quiet", "--out=" + folder);

        assertThat(ran.out()).contains("tiny.html");
        assertThat(Files.readString(folder.resolve("tiny.html")))
                .contains("<h1>tiny</h1>", "FASTER", "nothing &lt;at all&gt;");
    }

    @Test
    void rejectsUnwritableFileBeforeRunning() {
        Ran ran = Ran.run(new LoadCommand(), "http://127.0.0.1:1", "--rate=1", "--html=/no/such/folder/x.html");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("/no/such/folder/x.html", "its folder does not exist");
    }

    @Test
    void isListedInTheHelp() {
        assertThat(Ran.run(new LoadCommand(), "--help").out()).contains("--html=FILE", "self-contained HTML page");
        assertThat(Ran.run(new DemoCommand(), "--help").out()).contains("--html=FILE");
    }
}
