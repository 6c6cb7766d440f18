package dev.penstock.jms.kit;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Starts another JVM like this one: the same JDK and class path. */
public final class ChildJvm {
    /** Netty's memory access needs both; without them each process prints warnings. */
    private static final List<String> OPTIONS =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private ChildJvm() {}

    /**
     * The command.
     *
     * @param jvmOptions options of that JVM, for instance {@code -Xmx256m}
     * @param main its main class
     */
    public static List<String> command(List<String> jvmOptions, Class<?> main, String... args) {
        Stream<String> java = Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        Stream<String> program = Stream.of("-cp", System.getProperty("java.class.path"), main.getName());
        return Stream.of(java, jvmOptions.stream(), OPTIONS.stream(), program, Stream.of(args))
                .flatMap(part -> part)
                .toList();
    }
}
