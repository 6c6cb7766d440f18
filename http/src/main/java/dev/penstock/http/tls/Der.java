package dev.penstock.http.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** The parts of DER (X.690) that are needed to convert private keys to PKCS8. */
final class Der {
    static final int SEQUENCE = 0x30;
    static final int OCTET_STRING = 0x04;

    private Der() {}

    /** Encodes an element: tag, length in the fewest bytes (section 10.1), contents. */
    static byte[] element(int tag, byte[]... contents) {
        ByteArrayOutputStream element = new ByteArrayOutputStream();
        element.write(tag);
        writeLength(
                element, Arrays.stream(contents).mapToInt(part -> part.length).sum());
        for (byte[] part : contents) {
            element.writeBytes(part);
        }
        return element.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
        if (length < 0x80) {
            out.write(length);
            return;
        }
        int bytes = (39 - Integer.numberOfLeadingZeros(length)) / 8;
        out.write(0x80 | bytes);
        for (int i = bytes - 1; i >= 0; i--) {
            out.write(length >> (8 * i));
        }
    }

    /**
     * Returns the first element of a sequence, with its header.
     *
     * @param sequence well-formed, because it comes from the JDK
     */
    static byte[] firstOf(byte[] sequence) {
        int start = headerLength(sequence, 0);
        int length = headerLength(sequence, start) + contentLength(sequence, start);
        return Arrays.copyOfRange(sequence, start, start + length);
    }

    /** One byte each for tag and length, plus the number of bytes in the low bits of the length (section 8.1.3). */
    private static int headerLength(byte[] der, int at) {
        return der[at + 1] >= 0 ? 2 : 2 + (der[at + 1] & 0x7f);
    }

    private static int contentLength(byte[] der, int at) {
        if (der[at + 1] >= 0) {
            return der[at + 1];
        }
        int length = 0;
        for (int i = at + 2; i < at + headerLength(der, at); i++) {
            length = (length << 8) | (der[i] & 0xff);
        }
        return length;
    }
}
