package dev.penstock.http.http1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies. Memory is allocated as bytes arrive, not by the declared length: a peer may declare any length and
 * send nothing.
 */
public final class BodyReader {
    private static final int FIRST = 16 << 10;
    private static final byte[] NOTHING = new byte[0];

    /** Reserves memory. */
    @FunctionalInterface
    public interface Memory {
        /** Reserves this many more bytes, or throws. May block. */
        void take(int bytes) throws IOException;
    }

    private BodyReader() {}

    /**
     * Reads a body of known length.
     *
     * @throws EOFException the stream ended before the body was complete
     */
    public static byte[] exactly(InputStream in, int length, Memory memory) throws IOException {
        byte[] body = upTo(in, length, memory);
        if (body.length < length) {
            throw new EOFException("end of stream within the body");
        }
        return body;
    }

    /** Reads to the end of the stream; returns null if there are more bytes than allowed. */
    public static byte @Nullable [] atMost(InputStream in, int max, Memory memory) throws IOException {
        byte[] body = upTo(in, max, memory);
        return body.length == max && in.read() >= 0 ? null : body;
    }

    /** Reads this many bytes, or fewer if the stream ends before. */
    private static byte[] upTo(InputStream in, int max, Memory memory) throws IOException {
        byte[] body = NOTHING;
        int length = 0;
        while (length < max) {
            if (length == body.length) {
                body = grow(body, max, memory);
            }
            int count = in.read(body, length, body.length - length);
            if (count < 0) {
                return Arrays.copyOf(body, length);
            }
            length += count;
        }
        return body;
    }

    private static byte[] grow(byte[] body, int max, Memory memory) throws IOException {
        int next = (int) Math.min(max, Math.max(FIRST, 2L * body.length));
        memory.take(next - body.length);
        return Arrays.copyOf(body, next);
    }
}
