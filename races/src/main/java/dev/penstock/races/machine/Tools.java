package dev.penstock.races.machine;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds programs of this machine. */
public final class Tools {
    private Tools() {}

    /** Whether a program exists. */
    public static boolean has(String program) {
        return find(program).isPresent();
    }

    /** The path of a program. */
    public static Optional<Path> find(String program) {
        Stream<String> path = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""));
        // Where servers are installed; not in the PATH of users on every system.
        return Stream.concat(path, Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The first of these programs that exists. */
    public static Optional<String> first(String... programs) {
        return Stream.of(programs).filter(Tools::has).findFirst();
    }
}
