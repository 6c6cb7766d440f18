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
 * The system's bound on receive buffers, raised for those who cannot force theirs, and put back.
 *
 * <p>A little process waits for the end of its standard input, which comes whatever way this JVM ends, {@code kill -9} included,
 * and then writes what was there before. Ctrl-C reaches it too, and it does not care.
 */
final class RaisedBuffers implements AutoCloseable {
    private static final Path BOUND = Path.of("/proc/sys/net/core/rmem_max");
    private static final String PUT_BACK = "trap '' INT TERM HUP; cat >/dev/null; echo \"$1\" >\"$2\"";
    private static final int MOST_DIGITS = 32;
    private static final long PATIENCE_SECONDS = 10;

    private final @Nullable Process guard;

    private RaisedBuffers(@Nullable Process guard) {
        this.guard = guard;
    }

    /** Raises it where it is lower and that is allowed; otherwise it stays as it is. */
    static RaisedBuffers to(long bytes) throws IOException {
        return to(bytes, BOUND);
    }

    static RaisedBuffers to(long bytes, Path bound) throws IOException {
        if (!Files.isWritable(bound) || value(bound) >= bytes) {
            return new RaisedBuffers(null);
        }
        Process guard = new ProcessBuilder(
                        "sh", "-c", PUT_BACK, "penstock-put-back", String.valueOf(value(bound)), bound.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Files.writeString(bound, bytes + "\n");
        return new RaisedBuffers(guard);
    }

    /** Why nobody gets more than the system's bound here, in one sentence; empty when they do. */
    static Optional<String> whyNot(long bytes) {
        try {
            return !Files.exists(BOUND) || Files.isWritable(BOUND) || value(BOUND) >= bytes
                    ? Optional.empty()
                    : Optional.of("net.core.rmem_max is " + value(BOUND)
                            + " and only root may raise it, so the receive buffers of all are cut to that");
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** By one read: such a file gives nothing to the second. */
    private static long value(Path bound) throws IOException {
        try (InputStream in = Files.newInputStream(bound)) {
            byte[] read = new byte[MOST_DIGITS];
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
            if (!guard.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || guard.exitValue() != 0) {
                throw new IOException("net.core.rmem_max could not be put back; see sysctl net.core.rmem_max");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the guard does it all the same
        }
    }
}
