package dev.penstock.gateway.config;

import dev.penstock.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a configuration that are read again when they change: secrets, API keys and public keys. There is no thread: whoever
 * uses a content checks its files, at most once a second. A file that cannot be used any more leaves the last content in force, with
 * a warning. At most {@value #MAX} contents are watched. Thread-safe.
 */
public final class WatchedFiles {
    /** Reads a content as it is now. */
    public interface Reader<T> {
        /** Throws if a file cannot be used; the message continues "the file ..." and says, after a semicolon, what to do. */
        T read() throws IOException;
    }

    private static final int MAX = 1_000;
    private static final int MAX_NEWS = 100;
    private static final long INTERVAL = 1_000_000_000;
    private static final Logger LOG = LoggerFactory.getLogger("penstock.files");

    private final Ticker ticker;
    private final List<Content<?>> contents = new CopyOnWriteArrayList<>();
    private final ArrayBlockingQueue<String> news = new ArrayBlockingQueue<>(MAX_NEWS);

    /** No files yet. */
    public WatchedFiles(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * Reads a content, and returns what always gives the current one.
     *
     * @param files it is read again when one of them changes
     * @throws IOException a file cannot be used; the message is that of the reader
     */
    public <T> Supplier<T> watch(List<Path> files, Reader<T> reader) throws IOException {
        if (contents.size() >= MAX) {
            throw new IOException("is one too many; a flow file can name " + MAX);
        }
        Content<T> content = new Content<>(files, reader);
        contents.add(content);
        return content;
    }

    /** As above, for a file that was valid when the flow file was read. */
    public <T> Supplier<T> watchValid(Path file, Reader<T> reader) {
        try {
            return watch(List.of(file), reader);
        } catch (IOException unusable) {
            throw new IllegalArgumentException(file + ", which " + why(unusable), unusable);
        }
    }

    /** The files of all contents. */
    public List<Path> files() {
        return contents.stream()
                .flatMap(content -> content.files.stream())
                .distinct()
                .toList();
    }

    /** Checks all files that are due, and returns what was found since the last call, a sentence each. */
    public List<String> news() {
        contents.forEach(Content::get);
        List<String> taken = new ArrayList<>();
        news.drainTo(taken);
        return taken;
    }

    private static String why(Exception unusable) {
        return switch (unusable) {
            case NoSuchFileException gone -> "does not exist any more";
            case IOException known when known.getClass() == IOException.class -> String.valueOf(known.getMessage());
            default -> unusable.toString();
        };
    }

    private final class Content<T> implements Supplier<T> {
        private final List<Path> files;
        private final Reader<T> reader;
        private final AtomicLong nextCheck = new AtomicLong(ticker.nanos() + INTERVAL);
        /** What the file system reports of the version that was read, or why the last one could not be used. */
        private volatile String version;

        private volatile T current;

        Content(List<Path> files, Reader<T> reader) throws IOException {
            this.files = files;
            this.reader = reader;
            // First: what is written meanwhile is a change.
            this.version = version();
            this.current = reader.read();
        }

        @Override
        public T get() {
            long now = ticker.nanos();
            long due = nextCheck.get();
            if (now - due >= 0 && nextCheck.compareAndSet(due, now + INTERVAL)) {
                check();
            }
            return current;
        }

        private void check() {
            String before = version;
            try {
                String now = version();
                if (!now.equals(before)) {
                    current = reader.read();
                    version = now;
                    LOG.info("{}", report("was read again"));
                }
            } catch (IOException | RuntimeException unusable) {
                version = why(unusable);
                if (!version.equals(before)) {
                    LOG.warn("{}", report("changed, and its last content stays in force, because it " + version));
                }
            }
        }

        private String report(String what) {
            String sentence = files.stream()
                            .map(Path::toString)
                            .reduce((one, other) -> one + " or " + other)
                            .orElse("") + " " + what;
            boolean _ = news.offer(sentence);
            return sentence;
        }

        private String version() throws IOException {
            StringBuilder all = new StringBuilder();
            for (Path file : files) {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                all.append(now.lastModifiedTime())
                        .append(' ')
                        .append(now.size())
                        .append(' ')
                        .append(now.fileKey())
                        .append('\n');
            }
            return all.toString();
        }
    }
}
