package dev.penstock.races.udpburst;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Raises the system's limit on receive buffers, for servers that cannot exceed it, and restores it on close.
 *
 * <p>A small guard process waits for the end of its standard input, which comes however this JVM exits, {@code kill -9}
 * included, and then restores the previous value. It ignores SIGINT, which Ctrl-C sends to it too.
 */
final class RaisedBuffers implements AutoCloseable {
    private static final Path LIMIT = Path.of("/proc/sys/net/core/rmem_max");
    private static final String RESTORE = "trap '' INT TERM HUP; cat >/dev/null; echo \"$1\" >\"$2\"";
    private static final int MAX_DIGITS = 32;
    private static final long TIMEOUT_SECONDS = 10;

    private final @Nullable Process guard;

    private RaisedBuffers(@Nullable Process guard) {
        this.guard = guard;
    }

    /** Raises the limit if it is lower and this process may write it; otherwise leaves it unchanged. */
    static RaisedBuffers to(long bytes) throws IOException {
        return to(bytes, LIMIT);
    }

    static RaisedBuffers to(long bytes, Path limit) throws IOException {
        if (!Files.isWritable(limit) || value(limit) >= bytes) {
            return new RaisedBuffers(null);
        }
        Process guard = new ProcessBuilder(
                        "sh", "-c", RESTORE, "penstock-restore", String.valueOf(value(limit)), limit.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Files.writeString(limit, bytes + "\n");
        return new RaisedBuffers(guard);
    }

    /** The reason why buffers cannot exceed the system's limit here, in one sentence; empty if they can. */
    static Optional<String> whyNot(long bytes) {
        try {
            return !Files.exists(LIMIT) || Files.isWritable(LIMIT) || value(LIMIT) >= bytes
                    ? Optional.empty()
                    : Optional.of("net.core.rmem_max is " + value(LIMIT)
                            + " and only root may raise it, so all receive buffers are limited to that");
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Reads the value with a single read, because such files return nothing on a second one. */
    private static long value(Path limit) throws IOException {
        try (InputStream in = Files.newInputStream(limit)) {
            byte[] read = new byte[MAX_DIGITS];
            int length = Math.max(0, in.read(read));
            return Long.parseLong(new String(read, 0, length, StandardCharsets.US_ASCII).strip());
        }
    }

    @Override
    public void close() throws IOException {
        if (guard == null) {
            return;
        }
        guard.getOutputStream().close();
        try {
            if (!guard.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || guard.exitValue() != 0) {
                throw new IOException("cannot restore net.core.rmem_max; check it with sysctl net.core.rmem_max");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the guard restores the value anyway
        }
    }
}
