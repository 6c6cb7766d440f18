package dev.penstock.cli.probe;

import dev.penstock.lab.probe.KillKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a connection was ended, as its socket tells: a read that finds the end, one that throws, one that nobody answers. */
final class SocketClose {
    private static final int SLICE_MS = 200;
    private static final int LAST_WORDS = 512;

    private SocketClose() {}

    /**
     * Waits for the end of a socket that nobody else reads from. What comes before the end (a server that says why it closes)
     * is read and dropped.
     *
     * @return how it ended; null when it had not by then
     */
    static @Nullable KillKind await(Socket socket, Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        byte[] words = new byte[LAST_WORDS];
        do {
            if (Thread.interrupted()) {
                throw new InterruptedException("the probe was stopped");
            }
            long left = Math.max(1, (until - System.nanoTime()) / 1_000_000);
            try {
                socket.setSoTimeout((int) Math.min(SLICE_MS, left));
                if (socket.getInputStream().read(words) < 0) {
                    return KillKind.FIN;
                }
            } catch (SocketTimeoutException e) {
                // It is still there, as far as anybody was told.
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the probe was stopped");
                }
                return of(e);
            }
        } while (System.nanoTime() - until < 0);
        return null;
    }

    /** What a failure says of how the connection ended: the innermost word counts, since drivers wrap it. */
    static KillKind of(Throwable failure) {
        KillKind kind = KillKind.FIN;
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (one instanceof InterruptedIOException) {
                return KillKind.SILENT;
            }
            String word = String.valueOf(one.getMessage()).toLowerCase(Locale.ROOT);
            if (one instanceof EOFException) {
                return KillKind.FIN;
            }
            if (one instanceof SocketException && (word.contains("timed out") || word.contains("unreachable"))) {
                return KillKind.SILENT;
            }
            if (word.contains("reset") || word.contains("broken pipe")) {
                kind = KillKind.RST;
            }
        }
        return kind;
    }
}
