package dev.penstock.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code penstock serve} in a separate process. */
final class Serving {
    private Serving() {}

    /** The main method of that process. */
    static final class Main {
        public static void main(String[] args) {
            System.exit(Penstock.parser(new ServeCommand()).execute(args));
        }
    }

    /**
     * Starts it.
     *
     * @param err where its standard error goes
     * @param variables of its environment, beside those of this process
     */
    static Process start(Path err, Map<String, String> variables, String... args) throws IOException {
        ProcessBuilder process = new ProcessBuilder(
                        java(Main.class, List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), args))
                .redirectError(err.toFile());
        process.environment().putAll(variables);
        return process.start();
    }

    /** The command line of a JVM with the class path of this one, and the options that {@code penstock} gives. */
    static List<String> java(Class<?> main, List<String> options, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(launcherOptions());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(args));
        return command;
    }

    /** The JVM options of the script {@code penstock}. */
    static List<String> launcherOptions() {
        try (Stream<String> lines = Files.lines(Path.of("..", "penstock"))) {
            String flags =
                    lines.filter(line -> line.startsWith("flags=(")).findFirst().orElseThrow();
            return List.of(
                    flags.substring("flags=(".length(), flags.indexOf(')')).split(" "));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
