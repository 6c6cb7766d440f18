package dev.penstock.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Encodes a sequence of texts and byte arrays, each prefixed with its length, so that different sequences never have the same
 * encoding. Not thread-safe.
 */
final class HttpBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    HttpBytes number(int value) {
        out.write(value >>> 24);
        out.write(value >>> 16);
        out.write(value >>> 8);
        out.write(value);
        return this;
    }

    HttpBytes text(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    HttpBytes bytes(byte[] value) {
        number(value.length);
        out.writeBytes(value);
        return this;
    }

    byte[] all() {
        return out.toByteArray();
    }
}
