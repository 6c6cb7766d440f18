package dev.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is deleted with everything in it. */
record TempFolder(Path path) implements AutoCloseable {
    static TempFolder create(String prefix) throws IOException {
        return new TempFolder(Files.createTempDirectory(prefix));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
