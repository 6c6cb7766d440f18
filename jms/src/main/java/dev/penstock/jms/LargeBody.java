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
 * The body of a large message that Artemis's client reads from the broker piece by piece, so that it is never in memory as a
 * whole. One that was compressed goes through a temporary file, as the client unpacks it correctly only all at once. It can be
 * read once, before the next receive of its consumer. For one thread.
 */
final class LargeBody extends InputStream {
    private final ClientMessage received;
    private final LargeMessageController pieces;
    private @Nullable InputStream unpacked;
    private long left;

    /**
     * The body of a received message.
     *
     * @param received is large, and its body was not read
     */
    LargeBody(ClientMessage received) {
        this.received = received;
        pieces = ((ClientLargeMessageInternal) received).getLargeMessageController();
        left = size(received);
    }

    /** How many bytes the body of a large message that was received has, once it is not compressed any more. */
    static long size(ClientMessage received) {
        // The message's own size is an int, and wrong above 2 GB.
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

    /** A body that breaks off is no shorter body: that is an error, and not the end. */
    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        Objects.checkFromIndexSize(from, most, into.length);
        if (left == 0) {
            return most == 0 ? 0 : -1;
        }
        int wanted = (int) Math.min(most, left);
        int count;
        try {
            count = received.getBooleanProperty(Message.HDR_LARGE_COMPRESSED)
                    ? unpacked().read(into, from, wanted)
                    : readPieces(into, from, wanted);
        } catch (ActiveMQException | RuntimeException | IllegalAccessError broken) {
            throw new IOException("a large body broke off, " + left + " bytes before its end: " + broken, broken);
        }
        if (count < 0) {
            throw new EOFException("a large body ends " + left + " bytes before its end");
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
                // What is open can still be read.
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
