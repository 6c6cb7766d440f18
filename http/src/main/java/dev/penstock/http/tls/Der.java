package dev.penstock.http.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** As much of DER (X.690) as it takes to put one key into another envelope. */
final class Der {
    static final int SEQUENCE = 0x30;
    static final int OCTET_STRING = 0x04;

    private Der() {}

    /** An element: its tag, the length of its contents in the fewest bytes (section 10.1), its contents. */
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
     * The first element of a sequence, with its header.
     *
     * @param sequence well formed: it comes from the JDK
     */
    static byte[] firstOf(byte[] sequence) {
        int start = headerLength(sequence, 0);
        int length = headerLength(sequence, start) + contentLength(sequence, start);
        return Arrays.copyOfRange(sequence, start, start + length);
    }

    /** One byte each for tag and length, and as many more for the length as its low bits say (section 8.1.3). */
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
