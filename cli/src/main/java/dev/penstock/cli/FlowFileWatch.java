package dev.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.locks.LockSupport;

/** Notices changes of a file, by its time, size and identity. A file that is being written is left until a second has passed. */
final class FlowFileWatch implements AutoCloseable {
    private static final long INTERVAL = 1_000_000_000;

    private final Path file;
    /** What the file system reports of the version that was read. */
    private String read;

    private volatile boolean closed;

    /** To be created before the file is read: what is written meanwhile is a change. */
    FlowFileWatch(Path file) {
        this.file = file;
        this.read = version();
    }

    /** @param changed called on a thread of its own after each change */
    void start(Runnable changed) {
        Thread.ofVirtual().name("penstock-watch-file").start(() -> {
            String before = read;
            while (!closed) {
                LockSupport.parkNanos(INTERVAL);
                String now = version();
                if (!closed && !now.equals(read) && now.equals(before)) {
                    read = now;
                    changed.run();
                }
                before = now;
            }
        });
    }

    private String version() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
        } catch (IOException missing) {
            return "";
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
