package dev.penstock.races.overload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Where Sentinel logs to: a folder of this JVM's own that is taken away. Unless told it writes into the user's home; there is no
 * way to keep it from writing. What it would write each second for its dashboard is off. Safe for many threads.
 *
 * @param folder in the system's place for temporary files
 */
record SentinelLogs(Path folder) {
    private static final SentinelLogs THE_ONE = made();

    /** Tells Sentinel, the first time before any of its classes is initialized: it asks only then. */
    static SentinelLogs inThisJvm() {
        return THE_ONE;
    }

    private static SentinelLogs made() {
        try {
            SentinelLogs logs = new SentinelLogs(Files.createTempDirectory("penstock-race-sentinel"));
            System.setProperty("csp.sentinel.log.dir", logs.folder.toString());
            System.setProperty("JM.LOG.PATH", logs.folder.toString());
            System.setProperty("csp.sentinel.metric.flush.interval", "0");
            Runtime.getRuntime().addShutdownHook(new Thread(logs::delete));
            return logs;
        } catch (IOException e) {
            throw new UncheckedIOException("no folder for Sentinel's logs could be made: " + e.getMessage(), e);
        }
    }

    /** Takes them away; what is written after is taken away when this JVM ends. */
    void delete() {
        try (var inside = Files.walk(folder)) {
            List<Path> deepestFirst = inside.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // Gone already, or it stays where temporary files are.
        }
    }
}
