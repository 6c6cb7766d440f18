package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the jcstress tests, the classes named {@code *Stress}, each in a JVM of its own. One in each class, named {@code Careless},
 * contains a race on purpose and has to fail: so the others could fail too.
 */
@Tag("full")
@Tag("full-only")
@EnabledIf(value = "hasTwoCores", disabledReason = "threads race only on two cores")
class JcstressTest {
    @TempDir
    private static Path reports;

    private static String output = "";

    static boolean hasTwoCores() {
        return Runtime.getRuntime().availableProcessors() > 1;
    }

    @BeforeAll
    static void runAll() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command())
                .directory(reports.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                "dev\\.penstock\\..*Stress\\..*$",
                "-time",
                "200",
                "-iters",
                "3",
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
                reports.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.BatchItemStress",
                "dedupe.InFlightKeyStress",
                "limit.PermitStress",
                "meter.StripedCountersStress"
            })
    void theRaceOnPurposeIsFound(String tests) {
        assertThat(output).contains("[FAILED] dev.penstock." + tests + ".Careless");
    }

    @Test
    void noOtherFails() {
        assertThat(output).contains("(Results: 21 planned; 17 passed, 4 failed, 0 soft errs, 0 hard errs)");
    }
}
