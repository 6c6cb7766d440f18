package dev.penstock.jms;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientLargeMessageInternal;
import org.apache.activemq.artemis.core.client.impl.LargeMessageController;

/**
 * The body of a large message that Artemis's client reads from the broker piece by piece, so that it is never in memory as a
 * whole. It can be read once, before the next receive of its consumer. For one thread.
 */
final class LargeBody extends InputStream {
    private final LargeMessageController pieces;
    private long left;

    /**
     * The body of a received message.
     *
     * @param received is large, and its body was not read
     */
    LargeBody(ClientMessage received) {
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
        int count = (int) Math.min(most, left);
        try {
            for (int n = 0; n < count; n++) {
                into[from + n] = pieces.readByte();
            }
        } catch (RuntimeException | IllegalAccessError broken) {
            throw new IOException("a large body broke off, " + left + " bytes before its end: " + broken, broken);
        }
        left -= count;
        return count;
    }
}
