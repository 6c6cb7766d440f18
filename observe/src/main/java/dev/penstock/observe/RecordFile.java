package dev.penstock.observe;

import dev.penstock.Ticker;
import dev.penstock.state.DiskSpace;
import dev.penstock.state.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines. It is opened for each write, so that it may be moved away at any time. When it is full it is renamed: {@code
 * FILE.1} is the newest of the full ones. While it cannot be written, as on a full disk, lines are lost. Not thread-safe.
 */
final class RecordFile implements RecordWriter.Destination {
    /** A file of this size is full. */
    static final long FULL = 32L << 20;

    /** How many full files are kept. */
    static final int KEPT = 4;

    private static final Logger LOG = LoggerFactory.getLogger(TransactionLog.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofHours(1);

    private final Path file;
    private final long full;
    private final Ticker ticker;
    private long pausedUntil;
    private long quietUntil;
    /** Whether the last write may have ended within a line. */
    private boolean torn;

    RecordFile(Path file, long full, Ticker ticker) {
        this.file = file;
        this.full = full;
        this.ticker = ticker;
        this.pausedUntil = ticker.nanos();
        this.quietUntil = pausedUntil;
    }

    /** After a failure the file is left alone for a while. */
    @Override
    public boolean write(byte[] lines) {
        if (ticker.nanos() - pausedUntil < 0) {
            return false;
        }
        try {
            rotate(lines.length);
            append(lines);
            return true;
        } catch (IOException | RuntimeException failed) {
            long now = ticker.nanos();
            pausedUntil = now + PAUSE.toNanos();
            if (now - quietUntil >= 0) {
                quietUntil = now + QUIET.toNanos();
                LOG.warn(
                        "cannot write transaction records to {} ({}); {}. Records are lost, transactions are not"
                                + " affected; make the file writable",
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
