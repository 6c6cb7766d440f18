package dev.penstock.races.overhead;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One JMH run: one contestant in one fresh JVM with this JVM's class path.
 * <h2>Design note</h2>
 *
 * <p>All contestants get the same JVM options, and none of this JVM's own. The garbage collector is the JVM's default,
 * because it affects the cost of storing references, and users have the default too. A heap of fixed size avoids
 * resizing during the measurement.
 *
 * <p>JMH holds a lock file for the whole machine while it runs, so that two measurements do not disturb each other. The
 * lock stays enabled here, because two races at the same time would both be wrong. Only tests, which need no results,
 * ignore it ({@code -Djmh.ignoreLock=true}).
 */
final class JmhRun {
    /** The JVM options of contestants, readable. */
    static final String JVM_IN_WORDS = "heap 1 GB, default collector";

    /** The JVM options of contestants. */
    static final List<String> JVM_OPTIONS = List.of(
            "-Xms1g",
            "-Xmx1g",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"); // needed by JMH to lay out its state objects

    private static final Duration START = Duration.ofSeconds(1);
    private static final String BYTES = "gc.alloc.rate.norm";

    private JmhRun() {}

    /**
     * The duration of a measurement.
     *
     * @param warmUps warm-up iterations; 1 or more
     * @param iterations measured iterations; 1 or more
     * @param each the length of an iteration; 1 ms or more
     */
    record Plan(int warmUps, int iterations, Duration each) {
        /** The approximate total time, including the start of the JVM. */
        Duration time() {
            return each.multipliedBy((long) warmUps + iterations).plus(START);
        }

        @Override
        public String toString() {
            return "%d x %d ms of warm-up, %d x %d ms measured"
                    .formatted(warmUps, each.toMillis(), iterations, each.toMillis());
        }
    }

    /** The reason in one line why JMH has no result. */
    static final class NoFigures extends Exception {
        private static final long serialVersionUID = 1;

        NoFigures(String why, Throwable cause) {
            super(why, cause);
        }
    }

    /**
     * Measures.
     *
     * @param contestant its name
     * @param threads calling threads; 1 or more
     * @param plan the duration
     * @param jvmOptions for the contestant's JVM, see {@link #JVM_OPTIONS}
     * @return {@code ns_per_call} and {@code bytes_per_call}, each the mean over the measured iterations
     * @throws NoFigures when the contestant failed or its JVM did not run
     * @throws InterruptedException when the race is stopped
     */
    static Map<String, Double> measure(String contestant, int threads, Plan plan, List<String> jvmOptions)
            throws NoFigures, InterruptedException {
        FirstWords output = new FirstWords();
        try {
            RunResult result = new Runner(options(contestant, threads, plan, jvmOptions), output.format()).runSingle();
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put("ns_per_call", result.getPrimaryResult().getScore());
            Result<?> bytes = result.getSecondaryResults().get(BYTES);
            if (bytes != null) {
                figures.put("bytes_per_call", tenths(bytes.getScore()));
            }
            return figures;
        } catch (RunnerException e) {
            Throwable deepest = deepest(e);
            if (deepest instanceof InterruptedException stopped) {
                throw stopped;
            }
            throw new NoFigures(firstLine(deepest) + output, e);
        }
    }

    /**
     * Smaller values come from JMH's own threads, spread over millions of calls: a call that allocates nothing must
     * be 0.
     */
    private static double tenths(double bytes) {
        return Math.rint(bytes * 10) / 10;
    }

    /** The reason in one line. */
    static String firstLine(Throwable thrown) {
        String message = thrown.getMessage();
        if (message != null && message.contains("the JMH lock")) {
            return "another JMH run holds the lock on this machine: start this race when it has ended";
        }
        return message == null || message.isBlank()
                ? thrown.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElseThrow();
    }

    /** The innermost exception: JMH keeps the contestant's own exception as a suppressed one. */
    static Throwable deepest(Throwable thrown) {
        Throwable deepest = thrown;
        for (Throwable next = inside(deepest); next != null; next = inside(next)) {
            deepest = next;
        }
        return deepest;
    }

    private static @Nullable Throwable inside(Throwable thrown) {
        return thrown.getSuppressed().length > 0 ? thrown.getSuppressed()[0] : thrown.getCause();
    }

    private static Options options(String contestant, int threads, Plan plan, List<String> jvmOptions) {
        TimeValue each = TimeValue.milliseconds(plan.each().toMillis());
        return new OptionsBuilder()
                .include("^" + OverheadBenchmark.class.getName().replace(".", "\\.") + "\\.call$")
                .param("contestant", contestant)
                .threads(threads)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .warmupIterations(plan.warmUps())
                .warmupTime(each)
                .measurementIterations(plan.iterations())
                .measurementTime(each)
                .addProfiler(GCProfiler.class)
                .jvmArgs(jvmOptions.toArray(String[]::new))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    /**
     * Captures what a contestant's JVM prints, to keep it out of the race's own output; its first line is reported when
     * there is no result. A JVM that cannot start reports the reason only there. Keeps {@value #MAX_BYTES} bytes and
     * discards the rest. Thread-safe.
     */
    static final class FirstWords extends OutputStream {
        private static final int MAX_BYTES = 1_024;

        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();

        /** JMH's output format: prints nothing itself, and forwards the JVM's output. */
        OutputFormat format() {
            return OutputFormatFactory.createFormatInstance(
                    new PrintStream(this, true, Charset.defaultCharset()), VerboseMode.SILENT);
        }

        @Override
        public synchronized void write(int oneByte) {
            if (kept.size() < MAX_BYTES) {
                kept.write(oneByte);
            }
        }

        /** Empty, or the first line in parentheses after a space. */
        @Override
        public synchronized String toString() {
            return kept.toString(Charset.defaultCharset())
                    .lines()
                    .filter(line -> !line.isBlank())
                    .findFirst()
                    .map(line -> " (" + line.strip() + ")")
                    .orElse("");
        }
    }
}
