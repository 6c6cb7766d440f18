package dev.penstock.http.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Parses PEM files (RFC 7468). Text around blocks is ignored, as RFC 7468 section 2 allows. A file that ends within a block is
 * rejected, because it may still be being written.
 */
final class Pem {
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";

    private Pem() {}

    /**
     * One block.
     *
     * @param label its type, for instance {@code CERTIFICATE}
     * @param text the text between its first and last line
     */
    record Block(Path file, String label, String text) {
        /** Whether it has header lines, as keys in OpenSSL's legacy encryption do (RFC 1421). */
        boolean hasHeaders() {
            return text.indexOf(':') >= 0;
        }

        /**
         * Returns the decoded content.
         *
         * @throws FileProblem if it is not valid base64
         */
        byte[] bytes() {
            try {
                return Base64.getDecoder().decode(text.replaceAll("\\s+", ""));
            } catch (IllegalArgumentException _) {
                throw new FileProblem(
                        file, "contains a damaged " + label + " block (invalid base64): write the file again");
            }
        }

        /** Omits the content, which may be a key. */
        @Override
        public String toString() {
            return label + " in " + file;
        }
    }

    /** Whether the bytes contain a PEM block. */
    static boolean is(byte[] bytes) {
        return text(bytes).contains(BEGIN);
    }

    /**
     * Returns all blocks in their order.
     *
     * @throws FileProblem if the file ends within a block
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

    /** A last line that begins with a dash is the start of an incomplete block. */
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
                "ends within a PEM block: it is being written, or truncated; write it under another name and rename it");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
