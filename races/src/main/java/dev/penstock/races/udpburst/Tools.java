package dev.penstock.races.udpburst;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Programs of this machine. */
final class Tools {
    private Tools() {}

    static boolean has(String program) {
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""))
                .filter(folder -> !folder.isEmpty())
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** The first of these that is there. */
    static Optional<String> first(String... programs) {
        return Stream.of(programs).filter(Tools::has).findFirst();
    }
}
