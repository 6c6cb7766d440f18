package dev.penstock.gateway.callers;

import dev.penstock.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file says. While it is used, it is read again at most a second after it has changed. A file that cannot be used any more
 * leaves the last content in force, with a line in the log. Thread-safe.
 */
final class WatchedFile<T> implements Supplier<T> {
    /** Reads the content. Throws if the file cannot be used; the message continues "the file ..." and says what to do. */
    interface Reader<T> {
        T read(Path file) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);
    private static final long INTERVAL = 1_000_000_000;

    private final Path file;
    private final Reader<T> reader;
    private final Ticker ticker;
    private final AtomicLong nextLook;
    /** What the file system reports of the version that was read, or why the last one could not be read. */
    private volatile String version;

    private volatile T content;

    /** @throws UncheckedIOException the file cannot be used; the message names it and says what to do */
    WatchedFile(Path file, Reader<T> reader, Ticker ticker) {
        this.file = file;
        this.reader = reader;
        this.ticker = ticker;
        this.nextLook = new AtomicLong(ticker.nanos() + INTERVAL);
        try {
            // First: what is written meanwhile is a change.
            this.version = version();
            this.content = reader.read(file);
        } catch (IOException unusable) {
            throw new UncheckedIOException(file + ", which " + unusable.getMessage(), unusable);
        }
    }

    @Override
    public T get() {
        long now = ticker.nanos();
        long due = nextLook.get();
        if (now - due >= 0 && nextLook.compareAndSet(due, now + INTERVAL)) {
            look();
        }
        return content;
    }

    private void look() {
        String before = version;
        try {
            String now = version();
            if (!now.equals(before)) {
                content = reader.read(file);
                version = now;
                LOG.info("{} was read again", file);
            }
        } catch (IOException | RuntimeException unusable) {
            version = unusable.toString();
            if (!version.equals(before)) {
                LOG.error("{} changed and cannot be used, so what it said before stays in force: {}", file, version);
            }
        }
    }

    private String version() throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    }
}
