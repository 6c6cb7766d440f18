package dev.penstock.http.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The blocks of a PEM file (RFC 7468). Text around them is ignored, as RFC 7468 section 2 allows; a file that ends within a
 * block is refused, since it is being written.
 */
final class Pem {
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";

    private Pem() {}

    /**
     * One block.
     *
     * @param label what it says it is, for instance {@code CERTIFICATE}
     * @param text what stands between its first and its last line
     */
    record Block(Path file, String label, String text) {
        /** Whether it has header lines, as keys in OpenSSL's old encryption do (RFC 1421). */
        boolean hasHeaders() {
            return text.indexOf(':') >= 0;
        }

        /**
         * What it holds.
         *
         * @throws FileProblem when it is no base64
         */
        byte[] bytes() {
            try {
                return Base64.getDecoder().decode(text.replaceAll("\\s+", ""));
            } catch (IllegalArgumentException _) {
                throw new FileProblem(file, "has a damaged " + label + " block (no base64): write the file anew");
            }
        }

        /** Neither the text, which may be a key, nor what it decodes to. */
        @Override
        public String toString() {
            return label + " in " + file;
        }
    }

    /** Whether the bytes look like PEM at all. */
    static boolean is(byte[] bytes) {
        return text(bytes).contains(BEGIN);
    }

    /**
     * All blocks, in their order.
     *
     * @throws FileProblem when the file ends within one
     */
    static List<Block> blocks(Path file, byte[] bytes) {
        String text = text(bytes);
        List<Block> blocks = new ArrayList<>();
        int after = 0;
        for (int begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, after)) {
            int labelEnd = found(file, text.indexOf(DASHES, begin + BEGIN.length()));
            String label = text.substring(begin + BEGIN.length(), labelEnd);
            String last = "-----END " + label + DASHES;
            int end = found(file, text.indexOf(last, labelEnd));
            blocks.add(new Block(file, label, text.substring(labelEnd + DASHES.length(), end)));
            after = end + last.length();
        }
        refuseBegunLine(file, text.substring(after));
        return blocks;
    }

    /** A last line of dashes is the beginning of a block that is still to be written. */
    private static void refuseBegunLine(Path file, String rest) {
        String line = rest.substring(rest.lastIndexOf('\n') + 1);
        if (line.startsWith("-")) {
            throw cutOff(file);
        }
    }

    private static int found(Path file, int index) {
        if (index < 0) {
            throw cutOff(file);
        }
        return index;
    }

    private static FileProblem cutOff(Path file) {
        return new FileProblem(
                file,
                "ends within a PEM block: it is being written, or was cut off; write it under another name and rename it");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
