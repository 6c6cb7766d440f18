package dev.penstock.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines. It is opened for each write, so that it may be moved away at any time. When it is full it is renamed: {@code
 * FILE.1} is the newest of the full ones. While it cannot be written, as on a full disk, lines are lost. Only the user of this
 * process can read it. Not thread-safe.
 */
public final class LineFile {
    /** How many full files are kept. */
    public static final int KEPT = 4;

    private static final Logger LOG = LoggerFactory.getLogger(LineFile.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofHours(1);

    private final Path file;
    private final String what;
    private final long full;
    private final LongSupplier nanos;
    private long pausedUntil;
    private long quietUntil;
    /** Whether the last write may have ended within a line. */
    private boolean torn;

    /**
     * A file, which is created when it is missing.
     *
     * @param what what its lines are, for the log
     * @param full the size of a full file, in bytes
     * @param nanos a ticker
     */
    public LineFile(Path file, String what, long full, LongSupplier nanos) {
        this.file = file;
        this.what = what;
        this.torn = isTorn(file);
        this.full = full;
        this.nanos = nanos;
        this.pausedUntil = nanos.getAsLong();
        this.quietUntil = pausedUntil;
    }

    /** Whether the process that wrote last ended within a line. */
    private static boolean isTorn(Path file) {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return channel.read(last, Math.max(0, channel.size() - 1)) == 1 && last.get(0) != '\n';
        } catch (IOException missing) {
            return false;
        }
    }

    /**
     * The lines of this file and of the full ones, the oldest first. Lines that were cut are among them; a larger file is left out.
     *
     * @throws IOException a file cannot be read
     */
    public List<String> lines() throws IOException {
        List<String> all = new ArrayList<>();
        for (int number = KEPT; number >= 0; number--) {
            Path each = number == 0 ? file : numbered(number);
            if (Files.exists(each) && Files.size(each) <= full) {
                Files.readString(each, StandardCharsets.ISO_8859_1).lines().forEach(all::add);
            }
        }
        return all;
    }

    /** Writes whole lines; returns false when they are lost. After a failure the file is left alone for a while. */
    public boolean write(byte[] lines) {
        if (nanos.getAsLong() - pausedUntil < 0) {
            return false;
        }
        try {
            rotate(lines.length);
            append(lines);
            return true;
        } catch (IOException | RuntimeException failed) {
            long now = nanos.getAsLong();
            pausedUntil = now + PAUSE.toNanos();
            if (now - quietUntil >= 0) {
                quietUntil = now + QUIET.toNanos();
                LOG.warn(
                        "cannot write {} to {} ({}); {}. They are lost, transactions are not affected; make the file"
                                + " writable",
                        what,
                        file,
                        failed.toString(),
                        DiskSpace.describe(file));
            }
            return false;
        }
    }

    private void rotate(int more) throws IOException {
        if (!Files.exists(file)) {
            PrivateFiles.createFile(file);
        } else if (Files.size(file) > 0 && Files.size(file) + more > full) {
            for (int number = KEPT; number > 0; number--) {
                Path older = number == 1 ? file : numbered(number - 1);
                if (Files.exists(older)) {
                    Files.move(older, numbered(number), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            PrivateFiles.createFile(file);
        }
    }

    private Path numbered(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void append(byte[] lines) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            ByteBuffer left = ByteBuffer.wrap(lines);
            boolean after = torn;
            torn = true;
            if (after) {
                channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
            }
            while (left.hasRemaining()) {
                channel.write(left);
            }
            torn = false;
        }
    }
}
