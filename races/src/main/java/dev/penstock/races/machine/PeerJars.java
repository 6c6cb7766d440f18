package dev.penstock.races.machine;

import dev.penstock.jms.kit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The jars of a peer that cannot share the class path of the races. The build collects them.
 *
 * @param folder its name
 */
public record PeerJars(String folder) {
    /** The folder next to this module's classes, or two levels above its jar. */
    private Path path() {
        Path origin = origin(PeerJars.class);
        return (Files.isDirectory(origin) ? origin.resolve("..") : origin.resolve("../.."))
                .resolve(folder)
                .normalize();
    }

    private static Path origin(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** The reason why they are missing here; empty if they are present. */
    public Optional<String> whyNot() {
        return Files.isDirectory(path())
                ? Optional.empty()
                : Optional.of("its jars are not in " + path() + ": build the module races with mvn package");
    }

    /** JVM options with which their classes hide others of the same name. They see no classes but each other's, and the JDK's. */
    public List<String> first() {
        try (Stream<Path> jars = Files.list(path())) {
            return List.of("-Xbootclasspath/a:"
                    + jars.map(Path::toString).sorted().collect(Collectors.joining(File.pathSeparator)));
        } catch (IOException missing) {
            return List.of(); // see whyNot
        }
    }

    /**
     * The command of a process with these jars.
     *
     * @param jvmOptions of that JVM
     * @param main its main class
     * @param ours classes whose modules it needs, too
     * @param args of the main class
     */
    public List<String> command(List<String> jvmOptions, Class<?> main, List<Class<?>> ours, String... args) {
        List<String> command = new ArrayList<>(ChildJvm.command(jvmOptions, main, args));
        String classPath = Stream.of(
                        Stream.of(origin(main)), ours.stream().map(PeerJars::origin), Stream.of(path().resolve("*")))
                .flatMap(paths -> paths)
                .map(Path::toString)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
        command.set(command.indexOf("-cp") + 1, classPath);
        return command;
    }
}
