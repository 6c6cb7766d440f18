package dev.penstock.cli.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Determines how a connection was ended: a read returns the end of stream, throws, or times out. */
final class SocketClose {
    private static final int BUFFER_SIZE = 512;

    private SocketClose() {}

    /**
     * Waits for the end of a socket that is not read elsewhere. Data before the end, such as a reason sent by the
     * server, is discarded.
     *
     * @return how it ended; null if it did not end in time
     */
    static @Nullable KillKind await(Socket socket, Duration atMost) throws InterruptedException {
        long until = System.nanoTime() + atMost.toNanos();
        byte[] buffer = new byte[BUFFER_SIZE];
        try {
            for (long left = atMost.toNanos(); left > 0; left = until - System.nanoTime()) {
                socket.setSoTimeout(Math.clamp(left / 1_000_000, 1, Integer.MAX_VALUE));
                if (socket.getInputStream().read(buffer) < 0) {
                    return KillKind.FIN;
                }
            }
            return null;
        } catch (SocketTimeoutException e) {
            return null;
        } catch (IOException e) {
            return unlessStopped(e);
        }
    }

    /**
     * Derives how the connection ended, as {@link #of}.
     *
     * @throws InterruptedException this thread was interrupted, which closes the socket that it reads
     */
    static KillKind unlessStopped(Exception failure) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("the probe was stopped");
        }
        return of(failure);
    }

    /**
     * Closes a socket whose call was not answered by a reset: the kernel drops what it could not deliver yet, and the
     * peer stops its work on that call. After an orderly close the call might still begin later.
     */
    static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // Closed anyway.
        }
    }

    /** Derives how the connection ended from an exception: the innermost cause counts, because drivers wrap it. */
    static KillKind of(Throwable failure) {
        KillKind kind = KillKind.FIN;
        for (Throwable one = failure; one != null; one = one.getCause()) {
            if (one instanceof InterruptedIOException) {
                return KillKind.SILENT;
            }
            String message = String.valueOf(one.getMessage()).toLowerCase(Locale.ROOT);
            if (one instanceof EOFException) {
                return KillKind.FIN;
            }
            if (one instanceof SocketException && (message.contains("timed out") || message.contains("unreachable"))) {
                return KillKind.SILENT;
            }
            if (message.contains("reset") || message.contains("broken pipe")) {
                kind = KillKind.RST;
            }
        }
        return kind;
    }
}
