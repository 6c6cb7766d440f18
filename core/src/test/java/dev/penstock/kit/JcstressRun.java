package dev.penstock.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What jcstress said of some tests, each of which ran for a moment in a JVM of its own.
 *
 * @param exit its exit code; 1 when a test failed
 * @param output all that it printed
 */
public record JcstressRun(int exit, String output) {
    private static final int MOST_SECONDS = 120;

    /**
     * Runs the tests of a class.
     *
     * @param tests the class, with those inside of it
     * @param millis how long each iteration is
     * @param iterations how many
     * @param reports where jcstress may write
     */
    public static JcstressRun of(Class<?> tests, int millis, int iterations, Path reports)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(tests, millis, iterations, reports))
                .directory(reports.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("jcstress did not end: " + output);
            }
            return new JcstressRun(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(Class<?> tests, int millis, int iterations, Path reports) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-t",
                tests.getName(),
                "-time",
                Integer.toString(millis),
                "-iters",
                Integer.toString(iterations),
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
}
