package dev.penstock.udp.target;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Generated ids, 8 bytes before the request and before its answer. They count up from a random number, so that a restarted
 * process does not reuse ids that the peer still remembers.
 */
final class PrefixedIds implements RequestIds {
    static final int LENGTH = Long.BYTES;

    private final AtomicLong next = new AtomicLong(new SecureRandom().nextLong());

    @Override
    public Named request(byte[] request) {
        byte[] whole = ByteBuffer.allocate(LENGTH + request.length)
                .putLong(next.getAndIncrement())
                .put(request)
                .array();
        return new Named(text(whole), whole);
    }

    @Override
    public @Nullable Named answer(byte[] answer) {
        return answer.length < LENGTH
                ? null
                : new Named(text(answer), Arrays.copyOfRange(answer, LENGTH, answer.length));
    }

    private static String text(byte[] whole) {
        return new String(whole, 0, LENGTH, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String format() {
        return "8 bytes before each";
    }
}
