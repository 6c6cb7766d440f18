package dev.penstock.http.source;

/**
 * Validates the framing of a chunked body (RFC 9112 section 7.1) byte by byte.
 *
 * <p>Helidon accepts any two bytes as the end of a chunk, and a sign before its size. If two servers in a row interpret the
 * framing differently, an attacker can hide a request in a body (request smuggling). So everything that does not match the
 * grammar exactly is rejected. Trailers are not supported and rejected too.
 *
 * <p>Not thread-safe.
 */
final class ChunkFraming {
    /** 15 hex digits: enough for any body, and no overflow. */
    private static final int MAX_DIGITS = 15;
    /** Limits the memory of a chunk size line. */
    private static final int MAX_EXTENSION = 4096;

    private enum State {
        SIZE,
        BEFORE_EXTENSION,
        EXTENSION,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        LAST_CR,
        LAST_LF,
        OVER
    }

    private State state = State.SIZE;
    private int digits;
    private int extension;
    private long size;

    /**
     * Validates the next received bytes; bytes after the end of the body are ignored.
     *
     * @throws BadInput if they violate the framing
     */
    void follow(byte[] bytes) {
        int at = 0;
        while (at < bytes.length && state != State.OVER) {
            if (state == State.DATA) {
                long skipped = Math.min(size, bytes.length - at);
                size -= skipped;
                at += (int) skipped;
                state = size == 0 ? State.DATA_CR : State.DATA;
            } else {
                state = after(bytes[at]);
                at++;
            }
        }
    }

    private State after(byte b) {
        return switch (state) {
            case SIZE -> size(b);
            case BEFORE_EXTENSION -> isBlank(b) ? counted(state) : expected(b, ';', State.EXTENSION);
            case EXTENSION -> b == '\r' ? State.SIZE_LF : extension(b);
            case SIZE_LF -> expected(b, '\n', afterSize());
            case DATA_CR -> expected(b, '\r', State.DATA_LF);
            case DATA_LF -> expected(b, '\n', anotherChunk());
            case LAST_CR -> expected(b, '\r', State.LAST_LF);
            case LAST_LF -> expected(b, '\n', State.OVER);
            case DATA, OVER -> state;
        };
    }

    private State size(byte b) {
        int digit = Character.digit(b, 16);
        if (digit >= 0 && digits < MAX_DIGITS) {
            size = 16 * size + digit;
            digits++;
            return State.SIZE;
        }
        if (digits > 0 && b == '\r') {
            return State.SIZE_LF;
        }
        if (digits > 0 && b == ';') {
            return State.EXTENSION;
        }
        if (digits > 0 && isBlank(b)) {
            return State.BEFORE_EXTENSION;
        }
        throw broken();
    }

    /** Extensions are ignored, but must not contain control characters, which could hide the end of the line. */
    private State extension(byte b) {
        boolean control = (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
        if (control) {
            throw broken();
        }
        return counted(State.EXTENSION);
    }

    private State counted(State next) {
        extension++;
        if (extension > MAX_EXTENSION) {
            throw new BadInput(413, "The extensions of a chunk have more than " + MAX_EXTENSION + " bytes.");
        }
        return next;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private State afterSize() {
        return size == 0 ? State.LAST_CR : State.DATA;
    }

    private State anotherChunk() {
        digits = 0;
        size = 0;
        extension = 0;
        return State.SIZE;
    }

    private static State expected(byte b, char what, State next) {
        if (b != what) {
            throw broken();
        }
        return next;
    }

    private static BadInput broken() {
        return new BadInput(400, "The chunked framing of the body is invalid, or it has trailers.");
    }
}
