package dev.penstock.jdbc.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of the system that a test starts and ends. */
final class Programs {
    private static final long TO_END_S = 60;

    private Programs() {}

    /** Where a program is; the test is skipped where it is not. */
    static String found(String program, String debianPackage) {
        Optional<Path> found = Stream.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin")
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), program + ", on Debian: apt-get install " + debianPackage);
        return found.orElseThrow().toString();
    }

    /** Starts one; what it writes goes to a file. */
    static Process started(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** kill -9 of one and its children; waits until it is gone. */
    static void kill(Process program) throws IOException {
        List<ProcessHandle> all = Stream.concat(program.descendants(), Stream.of(program.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        try {
            if (!program.waitFor(TO_END_S, TimeUnit.SECONDS)) {
                throw new IOException("a program outlived kill -9 for " + TO_END_S + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a program was waited for", e);
        }
    }
}
