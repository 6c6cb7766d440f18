package dev.penstock.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads bodies. Their memory grows with the bytes that arrive: a peer may declare any length, and send nothing. */
final class BodyReader {
    private static final int FIRST = 16 << 10;
    private static final byte[] NOTHING = new byte[0];

    /** Asked for memory before it is used. */
    @FunctionalInterface
    interface Memory {
        /** Takes so many bytes more, or throws. May wait. */
        void take(int bytes) throws IOException;
    }

    private BodyReader() {}

    /**
     * A body of a known length.
     *
     * @throws EOFException the stream ended before it was whole
     */
    static byte[] exactly(InputStream in, int length, Memory memory) throws IOException {
        byte[] body = upTo(in, length, memory);
        if (body.length < length) {
            throw new EOFException("it ended in the middle of the body");
        }
        return body;
    }

    /** A body up to the end of the stream; null when it has more bytes than allowed. */
    static byte @Nullable [] atMost(InputStream in, int most, Memory memory) throws IOException {
        byte[] body = upTo(in, most, memory);
        return body.length == most && in.read() >= 0 ? null : body;
    }

    /** So many bytes, or fewer when the stream ends before. */
    private static byte[] upTo(InputStream in, int most, Memory memory) throws IOException {
        byte[] body = NOTHING;
        int have = 0;
        while (have < most) {
            if (have == body.length) {
                body = grown(body, most, memory);
            }
            int came = in.read(body, have, body.length - have);
            if (came < 0) {
                return Arrays.copyOf(body, have);
            }
            have += came;
        }
        return body;
    }

    private static byte[] grown(byte[] body, int most, Memory memory) throws IOException {
        int next = (int) Math.min(most, Math.max(FIRST, 2L * body.length));
        memory.take(next - body.length);
        return Arrays.copyOf(body, next);
    }
}
