package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link ItemStress} under jcstress, each of its tests for a moment in a JVM of its own. */
class ItemStressTest {
    private static final int MOST_SECONDS = 120;

    @TempDir
    Path reports;

    /** {@link ItemStress.Careless} has to fail, so that we know that the others could; and nothing else may. */
    @Test
    void noItemIsLostOrDoubled() throws Exception {
        Run run = stress();
        assertThat(run.output())
                .contains("(Results: 5 planned; 4 passed, 1 failed, 0 soft errs, 0 hard errs)")
                .contains("[FAILED] dev.penstock.collapse.ItemStress.Careless");
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
    }

    private Run stress() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-t",
                        ItemStress.class.getName(),
                        "-time",
                        "150",
                        "-iters",
                        "1",
                        "-f",
                        "1",
                        "-c",
                        "2",
                        "-sc",
                        "false",
                        "-af",
                        "NONE",
                        "-hs",
                        "128",
                        "-jvmArgs",
                        "-XX:+UseSerialGC",
                        "-r",
                        reports.toString()))
                .directory(reports.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)).isTrue();
            return new Run(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private record Run(int exit, String output) {}
}
