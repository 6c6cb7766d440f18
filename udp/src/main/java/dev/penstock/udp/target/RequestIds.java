package dev.penstock.udp.target;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * By what an answer finds its request. Implementations are safe for many threads, and change no bytes they are given.
 *
 * <p>An id says which answer is whose, no more: whether the peer takes a request once that comes twice under one id is for
 * {@link UdpTargetBuilder#onceById} to declare.
 */
public interface RequestIds {
    /** Bytes and their id. */
    final class Named {
        private final String id;
        private final byte[] bytes;

        /**
         * Bytes with an id.
         *
         * @param id the same for a request and its answer
         * @param bytes of a request, as they are sent; of an answer, as they are given to the caller. Not copied
         */
        public Named(String id, byte[] bytes) {
            this.id = id;
            this.bytes = bytes;
        }

        /** The same for a request and its answer. */
        public String id() {
            return id;
        }

        /** Of a request, as they are sent; of an answer, as they are given to the caller. Not copied. */
        public byte[] bytes() {
            return bytes;
        }
    }

    /** A request and its id; null when it has none. */
    @Nullable
    Named request(byte[] request);

    /** An answer and its id; null when it has none. */
    @Nullable
    Named answer(byte[] answer);

    /** What they are, in a few words. */
    String words();

    /**
     * Some bytes at a place of both.
     *
     * @param offset of the first, 0 or more
     * @param length how many, 1 or more
     * @throws IllegalArgumentException when out of range
     */
    static RequestIds at(int offset, int length) {
        return new IdsAt(offset, length);
    }

    /**
     * Found by code of yours.
     *
     * @param inRequest the id of a request; null when it has none
     * @param inAnswer the id of an answer; null when it has none
     */
    static RequestIds found(Function<byte[], @Nullable String> inRequest, Function<byte[], @Nullable String> inAnswer) {
        return new IdsFound(inRequest, inAnswer);
    }

    /** 8 bytes that are put before each request, and that the peer puts before its answer; callers see neither. */
    static RequestIds header() {
        return new PrefixedIds();
    }

    /** Bytes as a text of the same length. */
    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
    }

    /** Found at a place. */
    record IdsAt(int offset, int length) implements RequestIds {
        public IdsAt {
            if (offset < 0 || length < 1) {
                throw new IllegalArgumentException(
                        "an id is 1 byte or more, from byte 0 on, not " + length + " from " + offset);
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
        public String words() {
            return "bytes " + offset + " to " + (offset + (length - 1L));
        }
    }

    /** Found by code. */
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
        public String words() {
            return "found by code";
        }
    }
}
