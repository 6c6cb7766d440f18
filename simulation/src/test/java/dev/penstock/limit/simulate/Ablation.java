package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import dev.penstock.limit.AdaptiveLimit;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Compiles the limit with one constant changed, and runs rows of both reports with it, in classes of its own: one of each kind, since
 * all of them with each constant would take hours.
 */
final class Ablation {
    private static final String PACKAGE = "dev.penstock.limit.";
    private static final Set<String> ROWS = Set.of(
            "drift-deadline",
            "strict-slow",
            "pauses-deadline",
            "bursts-1200",
            "rest-exponential",
            "cold-2",
            "trap-deadline",
            "knee",
            "soft-deadline",
            "bimodal",
            "lognormal",
            "thrashing",
            "spread",
            "slow-target",
            "past-the-knee",
            "hard-cap",
            "fast-failures");
    private static final Pattern CONSTANT =
            Pattern.compile("(?<!public )static final (?:double|int|long) ([A-Z_]+) = ([0-9._e-]+)L?;|"
                    + "(?<!public )static final (?:double|int|long) ([A-Z_]+) = ([0-9]+) \\* SECOND;");

    /** A constant of a class; both names as in the source. */
    record Constant(String type, String name, double value) {
        /** The same source with another value. */
        String in(String source, double other) {
            Matcher line = CONSTANT.matcher(source);
            while (line.find()) {
                if (name.equals(line.group(1)) || name.equals(line.group(3))) {
                    boolean isWhole = !line.group().contains("double");
                    String suffix = line.group().contains("long") ? "L" : "";
                    boolean isSeconds = line.group(3) != null;
                    String written = isSeconds
                            ? "(long) (%s * SECOND)".formatted(other)
                            : isWhole ? Math.round(other) + suffix : Double.toString(other);
                    String before = line.group().substring(0, line.group().indexOf('='));
                    return source.substring(0, line.start()) + before + "= " + written + ";"
                            + source.substring(line.end());
                }
            }
            throw new IllegalArgumentException(name + " is not in " + type);
        }
    }

    private final Path sources;
    private final Path work;

    /** From the sources of the package of limits, with room for compiled classes. */
    Ablation(Path sources, Path work) {
        this.sources = sources;
        this.work = work;
    }

    /** All numeric constants of some classes. */
    List<Constant> constants(List<String> types) {
        List<Constant> all = new ArrayList<>();
        for (String type : types) {
            Matcher line = CONSTANT.matcher(read(type));
            while (line.find()) {
                boolean isSeconds = line.group(3) != null;
                String name = isSeconds ? line.group(3) : line.group(1);
                all.add(new Constant(
                        type, name, Double.parseDouble((isSeconds ? line.group(4) : line.group(2)).replace("_", ""))));
            }
        }
        return all;
    }

    private String read(String type) {
        try {
            return Files.readString(sources.resolve(type + ".java"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #measure}, with a constant that has another value. */
    @SuppressWarnings("unchecked") // The map comes from the same method in classes of another loader.
    Map<String, double[]> rows(Constant changed, double value, int seeds) throws Exception {
        Path classes = Files.createTempDirectory(work, "limit");
        Path source = Files.createDirectories(classes.resolve("source")).resolve(changed.type + ".java");
        Files.writeString(source, changed.in(read(changed.type), value));
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.list(sources)) {
            files.filter(file -> !file.endsWith(changed.type + ".java") && !file.endsWith("package-info.java"))
                    .forEach(file -> arguments.add(file.toString()));
        }
        arguments.add(source.toString());
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException(changed + " = " + value + " does not compile");
        }
        try (URLClassLoader loader = new OwnClasses(classes.toUri().toURL())) {
            Method measure = loader.loadClass(Ablation.class.getName()).getDeclaredMethod("measure", int.class);
            // The class of this name in another loader is in another package.
            measure.setAccessible(true);
            return (Map<String, double[]>) measure.invoke(null, seeds);
        }
    }

    /** The classes of limits and of the simulator are loaded anew, others are shared. */
    private static final class OwnClasses extends URLClassLoader {
        OwnClasses(URL limits) throws IOException {
            super(
                    Stream.concat(
                                    Stream.of(limits),
                                    Stream.of(System.getProperty("java.class.path")
                                                    .split(File.pathSeparator))
                                            .map(entry -> url(Path.of(entry).toUri())))
                            .toArray(URL[]::new),
                    Ablation.class.getClassLoader());
        }

        private static URL url(URI uri) {
            try {
                return uri.toURL();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null
                        ? loaded
                        : name.startsWith(PACKAGE) ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }

    /** The useful answers of each row and seed. */
    static Map<String, double[]> measure(int seeds) {
        return each(
                curve -> curve.useful(scenario -> Contestants.ours(AdaptiveLimit.INITIAL, scenario), seeds),
                (scenario, seed) -> Run.of(scenario, Contestants.ours(AdaptiveLimit.INITIAL, scenario), seed),
                seeds);
    }

    /** As {@link #measure}, of the best fixed limit. */
    static Map<String, double[]> best(int seeds) {
        return each(
                curve -> {
                    double useful = curve.ofFixed(seeds).useful();
                    return DoubleStream.generate(() -> useful).limit(seeds);
                },
                Run::ofOracle,
                seeds);
    }

    private static Map<String, double[]> each(
            Function<Curve, DoubleStream> ofCurve, BiFunction<Scenario, Long, Log> ofScenario, int seeds) {
        Map<String, double[]> rows = new TreeMap<>();
        Curves.ALL.stream()
                .filter(curve -> ROWS.contains(curve.name()))
                .forEach(curve -> rows.put(curve.name(), ofCurve.apply(curve).toArray()));
        for (Scenario scenario : Scenarios.all()) {
            if (!ROWS.contains(scenario.name())) {
                continue;
            }
            long length = Math.round(scenario.seconds() * World.SECOND);
            DoubleStream useful = LongStream.rangeClosed(1, seeds)
                    .parallel()
                    .mapToDouble(seed -> ofScenario.apply(scenario, seed).useful(0, length));
            rows.put(scenario.name(), useful.toArray());
        }
        return rows;
    }
}
