package dev.penstock.http;

/**
 * Follows the framing of a chunked body (RFC 9112 section 7.1) byte by byte, and refuses what is not exactly that.
 *
 * <p>The server's own reader takes any two bytes for the end of a chunk, and a sign before its size. A gateway that reads a
 * body otherwise than the one before it can be made to see a request where there is none (request smuggling), so here the
 * rules hold to the letter. Trailers are not carried, and refused as well.
 *
 * <p>Not safe for many threads.
 */
final class ChunkFraming {
    /** 15 hex digits: more than any body may have, and no overflow. */
    private static final int MOST_DIGITS = 15;
    /** The line of a chunk's size is held in memory. */
    private static final int LONGEST_EXTENSION = 4096;

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
     * Goes on with the next bytes from the wire; what comes after the body is not looked at.
     *
     * @throws BadInput when they break the framing
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
        if (digit >= 0 && digits < MOST_DIGITS) {
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

    /** What an extension says is ignored, but it cannot hide the end of its line. */
    private State extension(byte b) {
        boolean control = (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
        if (control) {
            throw broken();
        }
        return counted(State.EXTENSION);
    }

    private State counted(State next) {
        extension++;
        if (extension > LONGEST_EXTENSION) {
            throw new BadInput(413, "The extensions of a chunk may have " + LONGEST_EXTENSION + " bytes at most.");
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
        return new BadInput(400, "The chunks of the body are not framed as HTTP/1.1 asks, or have trailers.");
    }
}
