package dev.penstock.kit.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/**
 * A test that any bytes may be given to. The default build runs the known inputs: the files in the test resources, in a folder
 * with the name of the test beside it. With {@code -Pfuzz}, Jazzer searches for new ones in a process of its own.
 *
 * <p>An input that breaks the test is kept in {@code target/fuzz}. Move it to the known inputs, then fix the defect.
 */
public abstract class FuzzHarness {
    private static final int SECONDS = Integer.getInteger("penstock.fuzz.seconds", 600);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A flow file names files to read. The other one fails itself, in Netty on JDK 25. */
    private static final List<String> DISABLED_HOOKS = List.of(
            "com.code_intelligence.jazzer.sanitizers.FilePathTraversal",
            "com.code_intelligence.jazzer.sanitizers.UnsafeSanitizer");

    /** What Jazzer fuzzes in this process. */
    private static @Nullable FuzzHarness target;

    /** For subclasses. */
    protected FuzzHarness() {}

    /**
     * Checks one input.
     *
     * @param input any bytes
     * @throws Exception or an error: the input has found a defect
     */
    protected abstract void fuzz(byte[] input) throws Exception;

    /**
     * Runs work that allocates no more than a number of bytes: memory that an input only declares, and work that grows with the
     * square of the input, are more by far. The first run may load classes, so the work repeats when it allocates more.
     *
     * @param bytes leave a megabyte or two for what Jazzer adds
     */
    protected static void allocatingAtMost(long bytes, Executable work) throws Exception {
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 3 && least > bytes; run++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                work.execute();
            } catch (Exception | Error failure) {
                throw failure;
            } catch (Throwable failure) {
                throw new AssertionError(failure);
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).as("allocated bytes").isLessThanOrEqualTo(bytes);
    }

    @TestFactory
    final Stream<DynamicTest> knownInputs() throws IOException {
        List<Path> inputs;
        try (Stream<Path> files = Files.list(known())) {
            inputs = files.sorted().toList();
        }
        assertThat(inputs).isNotEmpty();
        return inputs.stream()
                .map(input ->
                        DynamicTest.dynamicTest(input.getFileName().toString(), () -> fuzz(Files.readAllBytes(input))));
    }

    private Path known() {
        URL folder = getClass().getResource(getClass().getSimpleName());
        try {
            return Path.of(
                    Objects.requireNonNull(folder, "no folder of known inputs").toURI());
        } catch (URISyntaxException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    @Test
    @Tag("fuzz")
    @Timeout(value = 1, unit = TimeUnit.DAYS) // it ends by itself, after penstock.fuzz.seconds
    final void findsNoNewInputThatFails() throws IOException, InterruptedException {
        Path folder = Path.of("target", "fuzz", getClass().getSimpleName()).toAbsolutePath();
        Path found = Files.createDirectories(folder.resolve("corpus"));
        Path log = folder.resolve("log");
        Process jazzer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-XX:+EnableDynamicAgentLoading",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "com.code_intelligence.jazzer.Jazzer",
                        "--target_class=" + FuzzHarness.class.getName(),
                        "--target_args=" + getClass().getName(),
                        "--instrumentation_includes=dev.penstock.**:org.apache.hc.**:org.snakeyaml.**:tools.jackson.**",
                        "--disabled_hooks=" + String.join(":", DISABLED_HOOKS),
                        "--reproducer_path=" + folder,
                        "-artifact_prefix=" + folder + "/",
                        "-max_total_time=" + SECONDS,
                        "-max_len=4096",
                        // Seconds of one input. The first one waits for the instrumentation of all classes.
                        "-timeout=60",
                        "-print_final_stats=1",
                        found.toString(),
                        known().toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jazzer.waitFor())
                    .as("exit status of Jazzer; its output is in %s, the input that failed beside it", log)
                    .isZero();
        } finally {
            jazzer.destroyForcibly();
        }
    }

    /** Jazzer calls this first. */
    public static void fuzzerInitialize(String[] arguments) throws ReflectiveOperationException {
        var constructor = Class.forName(arguments[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        target = (FuzzHarness) constructor.newInstance();
    }

    /** Jazzer calls this with each input. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        Objects.requireNonNull(target).fuzz(input);
    }

    /** A file in memory where the system has such, for tests that need one for each input. */
    protected static Path scratchFile(String name) {
        Path memory = Path.of("/dev/shm");
        try {
            Path folder = Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "penstock-fuzz")
                    : Files.createTempDirectory("penstock-fuzz");
            Path file = folder.resolve(name);
            folder.toFile().deleteOnExit();
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }
}
