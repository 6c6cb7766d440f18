package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PenstockTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int penstock(String... args) {
        return Penstock.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '%',
            quoteCharacter = '"',
            value = {
                "serv % unknown command 'serv'; did you mean serve?",
                "simulate carrots % unknown command 'carrots'; see penstock simulate --help",
                "serve a.yaml b.yaml % unexpected argument 'b.yaml'; see penstock serve --help",
                "check --frobnicate a.yaml % Unknown option: '--frobnicate'; see penstock check --help",
                "load http://x % Missing required argument (specify one of these): (--rate=N | --users=N | --burst=N | --calibrate);"
                        + " see penstock load --help",
                "check % Missing required argument (specify one of these): (FILE | --import=FILE); see penstock check --help",
                "simulate http --port 70000 % the port must be 0 to 65535, not 70000; see penstock simulate http --help",
            })
    void wrongUsageIsOneLineWithRemedy(String args, String line) {
        assertThat(penstock(args.split(" "))).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("penstock: " + line + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"carrots --help", "simulate carrots --help"})
    void helpForACommandThatDoesNotExistIsWrongUsage(String args) {
        assertThat(penstock(args.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith("penstock: unknown command 'carrots'");
    }

    @Test
    void aBodyFromAFileIsNotReadAsArguments() throws Exception {
        Path body = Files.writeString(folder.resolve("body"), "one two");

        assertThat(penstock("load", "http://x", "--body", "@" + body)).isEqualTo(2);
        assertThat(err.toString()).startsWith("penstock: Missing required argument");
    }

    @Test
    void commandListHasWholeSentences() {
        assertThat(penstock("--help")).isZero();
        assertThat(out.toString())
                .contains("prints its flows as they will run.")
                .doesNotContain("and every\n");
    }

    @Test
    @Timeout(120)
    void helpLoadsNoBrokerAndNoServer() throws Exception {
        Path loaded = folder.resolve("classes");
        Process help = new ProcessBuilder(
                        Serving.java(Penstock.class, List.of("-Xlog:class+load:file=" + loaded), "--help"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(help.waitFor()).isZero();
        try (Stream<String> classes = Files.lines(loaded)) {
            assertThat(classes.filter(line -> line.contains("org.apache.")
                            || line.contains("jakarta.jms")
                            || line.contains("org.eclipse.jetty")))
                    .isEmpty();
        }
    }

    @Test
    void demoChecksItsResultFileBeforeItRuns() {
        assertThat(penstock("demo", "--json", folder.toString())).isEqualTo(2);
        assertThat(err.toString())
                .isEqualTo("penstock: cannot write " + folder + ": it is a directory; give a file in it;"
                        + " see penstock demo --help" + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--kafka", "--store"})
    void demoTakesABrokerAndADatabaseForAFleetOnly(String option) {
        assertThat(penstock("demo", option, "127.0.0.1:1")).isEqualTo(2);
        assertThat(err.toString()).startsWith("penstock: " + option + " has no effect without --fleet");
    }
}
