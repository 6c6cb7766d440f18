package dev.penstock.http.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Writes elements of DER (X.690), for keys in forms that the JDK does not write. */
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
}
