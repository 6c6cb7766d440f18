package dev.penstock.races.overhead;

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
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One run of JMH: one contestant, in one fresh JVM with this one's class path.
 *
 * <h2>Design note</h2>
 *
 * All contestants get the same JVM options, and none of this JVM's own. The collector is the JVM's own choice: which it is
 * changes what a store of a reference costs, and users have the default. A heap of fixed size keeps the collector from
 * resizing it while it measures.
 *
 * <p>JMH holds a lock file for the whole machine while it runs, so that two measurements cannot disturb each other. It stays
 * in force here: of two races at the same time neither has figures to trust. Only tests, which want none, ignore it ({@code
 * -Djmh.ignoreLock=true}).
 */
final class JmhRun {
    /** What the contestants' JVM is given, for people. */
    static final String JVM_IN_WORDS = "heap 1 GB, default collector";

    /** What it is given. */
    static final List<String> JVM_OPTIONS = List.of(
            "-Xms1g",
            "-Xmx1g",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"); // JMH lays its states out with it

    private static final Duration START = Duration.ofSeconds(1);
    private static final String BYTES = "gc.alloc.rate.norm";

    private JmhRun() {}

    /**
     * How long to measure.
     *
     * @param warmUps iterations before; 1 or more
     * @param iterations measured iterations; 1 or more
     * @param each the length of an iteration; 1 ms or more
     */
    record Plan(int warmUps, int iterations, Duration each) {
        /** All of it, and the start of the JVM, about. */
        Duration time() {
            return each.multipliedBy((long) warmUps + iterations).plus(START);
        }

        @Override
        public String toString() {
            return "%d x %d ms of warm-up, %d x %d ms measured"
                    .formatted(warmUps, each.toMillis(), iterations, each.toMillis());
        }
    }

    /** Says in one line why JMH has measured nothing. */
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
     * @param threads how many call it; 1 or more
     * @param plan how long
     * @param jvmOptions for the contestant's JVM, see {@link #JVM_OPTIONS}
     * @return {@code ns_per_call} and {@code bytes_per_call}, each the mean over the measured iterations
     * @throws NoFigures when the contestant failed or its JVM did not run
     * @throws InterruptedException when the race is over
     */
    static Map<String, Double> measure(String contestant, int threads, Plan plan, List<String> jvmOptions)
            throws NoFigures, InterruptedException {
        FirstWords said = new FirstWords();
        try {
            RunResult result = new Runner(options(contestant, threads, plan, jvmOptions), said.format()).runSingle();
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
            throw new NoFigures(firstLine(deepest) + said, e);
        }
    }

    /** What is below is JMH's own threads, spread over millions of calls: a call that allocates nothing has to be 0. */
    private static double tenths(double bytes) {
        return Math.rint(bytes * 10) / 10;
    }

    /** Why, in one line. */
    static String firstLine(Throwable thrown) {
        String message = thrown.getMessage();
        if (message != null && message.contains("the JMH lock")) {
            return "another JMH measures on this machine: run this race when that is over";
        }
        return message == null || message.isBlank()
                ? thrown.getClass().getSimpleName()
                : message.strip().lines().findFirst().orElseThrow();
    }

    /** What lies deepest: JMH keeps the contestant's own exception as a suppressed one. */
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
}
