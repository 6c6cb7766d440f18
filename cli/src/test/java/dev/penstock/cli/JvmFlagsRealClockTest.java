package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code load --pid} stores the options with which a JVM was tuned. */
@Timeout(120)
class JvmFlagsRealClockTest {
    @TempDir
    private Path folder;

    /** Waits until its input ends. */
    static final class Waiting {
        private Waiting() {}

        public static void main(String[] args) throws IOException {
            System.out.write('\n');
            System.out.flush();
            System.in.read();
        }
    }

    /** With a command line that is longer than a page of memory. */
    private static Process jvm(String... options) throws Exception {
        Path classes = Path.of(Waiting.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        java.command().addAll(List.of(options));
        java.command()
                .addAll(List.of(
                        "-Dpassword=s3cr3t",
                        "-cp",
                        classes + ":/none".repeat(1_000),
                        Waiting.class.getName(),
                        "-Xargument"));
        Process process = java.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        assertThat(process.getInputStream().read()).isEqualTo('\n');
        return process;
    }

    @Test
    void storesTheOptionsOfAProcess() throws Exception {
        Path json = folder.resolve("load.json");
        Process process = jvm("-Xmx64m", "-XX:+UseSerialGC");
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            Ran ran = Ran.run(
                    new LoadCommand(),
                    simulator.url(),
                    "--rate=100",
                    "--for=200ms",
                    "--quiet",
                    "--pid=" + process.pid(),
                    "--json=" + json);
            assertThat(ran.err()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
        assertThat(ResultFile.read(json).contestants().getFirst().settings())
                .containsEntry("jvm flags of process " + process.pid(), "-Xmx64m -XX:+UseSerialGC");
        assertThat(Files.readString(json)).doesNotContain("s3cr3t");
    }

    @Test
    void aProcessWithoutThemHasNone() throws Exception {
        Process process = jvm();
        try {
            assertThat(JvmFlags.of(process.pid())).isEmpty();
        } finally {
            process.destroyForcibly();
        }
        assertThat(JvmFlags.of(4_194_305)).isEmpty();
    }
}
