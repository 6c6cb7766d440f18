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
    /** The bytes of a request or an answer, with their id. */
    final class Named {
        private final String id;
        private final byte[] bytes;

        /**
         * Creates bytes with an id.
         *
         * @param id the id, equal for a request and its answer
         * @param bytes a request as it is sent, or an answer as the caller gets it. Not copied
         */
        public Named(String id, byte[] bytes) {
            this.id = id;
            this.bytes = bytes;
        }

        /** The id, equal for a request and its answer. */
        public String id() {
            return id;
        }

        /** A request as it is sent, or an answer as the caller gets it. Not copied. */
        public byte[] bytes() {
            return bytes;
        }
    }

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
        return new IdsAt(offset, length);
    }

    /**
     * Ids that functions extract.
     *
     * @param inRequest returns the id of a request; null when it has none
     * @param inAnswer returns the id of an answer; null when it has none
     */
    static RequestIds found(Function<byte[], @Nullable String> inRequest, Function<byte[], @Nullable String> inAnswer) {
        return new IdsFound(inRequest, inAnswer);
    }

    /** Generated ids of 8 bytes before each request, which the peer copies to its answer. Callers do not see them. */
    static RequestIds header() {
        return new PrefixedIds();
    }

    /** Converts bytes to a string of the same length. */
    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
    }

    /** Ids at a fixed offset. */
    record IdsAt(int offset, int length) implements RequestIds {
        public IdsAt {
            if (offset < 0 || length < 1) {
                throw new IllegalArgumentException(
                        "an id is 1 byte or more, at offset 0 or more, not " + length + " at offset " + offset);
            }
        }

        @Override
        public @Nullable Named request(byte[] request) {
            return request.length - offset < length ? null : new Named(text(request, offset, length), request);
        }

        @Override
        public @Nullable Named answer(byte[] answer) {
            return request(answer);
        }

        @Override
        public String format() {
            return "bytes " + offset + " to " + (offset + (length - 1L));
        }
    }

    /** Ids that functions extract. */
    record IdsFound(Function<byte[], @Nullable String> inRequest, Function<byte[], @Nullable String> inAnswer)
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

        @Override
        public String format() {
            return "found by code";
        }
    }
}
