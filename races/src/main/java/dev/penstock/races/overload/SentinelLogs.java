package dev.penstock.races.overload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The log directory of Sentinel: a temporary directory of this JVM. By default Sentinel writes to the user's home
 * directory, and logging cannot be switched off. The metrics that it would write every second for its dashboard are
 * off. Thread-safe.
 *
 * @param folder a temporary directory
 */
record SentinelLogs(Path folder) {
    private static final SentinelLogs INSTANCE = create();

    /** Configures Sentinel; must be called before any of its classes is initialized. */
    static SentinelLogs inThisJvm() {
        return INSTANCE;
    }

    private static SentinelLogs create() {
        try {
            SentinelLogs logs = new SentinelLogs(Files.createTempDirectory("penstock-race-sentinel"));
            System.setProperty("csp.sentinel.log.dir", logs.folder.toString());
            System.setProperty("JM.LOG.PATH", logs.folder.toString());
            System.setProperty("csp.sentinel.metric.flush.interval", "0");
            Runtime.getRuntime().addShutdownHook(new Thread(logs::delete));
            return logs;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for Sentinel's logs: " + e.getMessage(), e);
        }
    }

    /** Deletes the directory; what is written later is deleted when this JVM ends. */
    void delete() {
        try (var inside = Files.walk(folder)) {
            List<Path> deepestFirst = inside.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // Already deleted, or it stays among the temporary files.
        }
    }
}
