package dev.penstock.jms;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.core.client.impl.LargeMessageController;
import org.jspecify.annotations.Nullable;

/**
 * The body of a large message that Artemis's client reads from the broker in pieces, so that it is never in memory as a
 * whole. A compressed body goes through a temporary file, since the client decompresses correctly only all at once.
 * Readable once, before the next receive of its consumer. Not thread-safe.
 */
final class LargeBody extends InputStream {
    private final ClientMessage received;
    private final LargeMessageController pieces;
    private @Nullable InputStream unpacked;
    private long left;

    /**
     * The body of a received message.
     *
     * @param received a large message whose body was not read
     */
    LargeBody(ClientMessage received) {
        this.received = received;
        pieces = ((ClientLargeMessageInternal) received).getLargeMessageController();
        left = size(received);
    }

    /** The uncompressed size of a received large message's body, in bytes. */
    static long size(ClientMessage received) {
        // The message's size field is an int, and wrong above 2 GB.
        Long noted = received.getLongProperty(Message.HDR_LARGE_BODY_SIZE);
        return noted == null
                ? ((ClientLargeMessageInternal) received)
                        .getLargeMessageController()
                        .getSize()
                : noted;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** A truncated body is an error, not the end of the stream. */
    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, into.length);
        if (left == 0) {
            return length == 0 ? 0 : -1;
        }
        int wanted = (int) Math.min(length, left);
        int count;
        try {
            count = received.getBooleanProperty(Message.HDR_LARGE_COMPRESSED)
                    ? unpacked().read(into, from, wanted)
                    : readPieces(into, from, wanted);
        } catch (ActiveMQException | RuntimeException | IllegalAccessError broken) {
            throw new IOException(
                    "reading a large message failed " + left + " bytes before its end: " + broken, broken);
        }
        if (count < 0) {
            throw new EOFException("a large message is truncated, " + left + " bytes are missing");
        }
        left -= count;
        return count;
    }

    private int readPieces(byte[] into, int from, int count) {
        for (int n = 0; n < count; n++) {
            into[from + n] = pieces.readByte();
        }
        return count;
    }

    private InputStream unpacked() throws IOException, ActiveMQException {
        InputStream open = unpacked;
        if (open == null) {
            Path file = Files.createTempFile("penstock-body", null);
            try {
                try (OutputStream out = Files.newOutputStream(file)) {
                    received.saveToOutputStream(out);
                }
                open = Files.newInputStream(file);
                unpacked = open;
            } finally {
                // The open file can still be read.
                Files.delete(file);
            }
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        if (unpacked != null) {
            unpacked.close();
        }
    }
}
