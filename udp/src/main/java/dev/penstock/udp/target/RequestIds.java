package dev.penstock.udp.target;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Determines the ids by which answers are matched to requests. Implementations are safe for many threads, and do not modify the
 * bytes passed to them.
 *
 * <p>An id only identifies the answer to a request. {@link UdpTargetBuilder#onceById} declares whether the peer also
 * deduplicates requests by id.
 */
public interface RequestIds {
    /**
     * The bytes of a request or an answer, with their id.
     *
     * @param id the id, equal for a request and its answer
     * @param bytes a request as it is sent, or an answer as the caller gets it. Not copied
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Named(String id, byte[] bytes) {}

    /** Returns a request with its id; null when it has none. */
    @Nullable
    Named request(byte[] request);

    /** Returns an answer with its id; null when it has none. */
    @Nullable
    Named answer(byte[] answer);

    /** A short description for settings and messages. */
    String format();

    /**
     * Ids at a fixed offset of requests and answers.
     *
     * @param offset the offset of the first byte, 0 or more
     * @param length the number of bytes, 1 or more
     * @throws IllegalArgumentException when out of range
     */
    static RequestIds at(int offset, int length) {
        if (offset < 0 || length < 1) {
            throw new IllegalArgumentException(
                    "an id is 1 byte or more, at offset 0 or more, not " + length + " at offset " + offset);
        }
        Function<byte[], @Nullable String> id = bytes ->
                bytes.length - offset < length ? null : new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
        return new IdsFound(id, id, "bytes " + offset + " to " + (offset + (length - 1L)));
    }

    /**
     * Ids that functions extract.
     *
     * @param inRequest returns the id of a request; null when it has none
     * @param inAnswer returns the id of an answer; null when it has none
     */
    static RequestIds found(Function<byte[], @Nullable String> inRequest, Function<byte[], @Nullable String> inAnswer) {
        return new IdsFound(inRequest, inAnswer, "found by code");
    }

    /** Generated ids of 8 bytes before each request, which the peer copies to its answer. Callers do not see them. */
    static RequestIds header() {
        return new PrefixedIds();
    }

    /** Ids that functions extract, with their {@link #format}. */
    record IdsFound(
            Function<byte[], @Nullable String> inRequest, Function<byte[], @Nullable String> inAnswer, String format)
            implements RequestIds {
        @Override
        public @Nullable Named request(byte[] request) {
            return named(inRequest.apply(request), request);
        }

        @Override
        public @Nullable Named answer(byte[] answer) {
            return named(inAnswer.apply(answer), answer);
        }

        private static @Nullable Named named(@Nullable String id, byte[] bytes) {
            return id == null ? null : new Named(id, bytes);
        }
    }
}
