package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.http1.AnswerReader;
import dev.penstock.kit.program.FuzzHarness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Input: a seed for where the body is cut, then a body in chunks and what follows it. Three readers agree: the server we build
 * on, the reader of answers, and a plain one of the whole body. What the server refuses, the others may take.
 */
class ChunkedBodyFuzzTest extends FuzzHarness {
    private static final Pattern SIZE_LINE =
            Pattern.compile("([0-9A-Fa-f]{1,15})([ \\t]*;[\\t -~\\x80-\\xff]*)?\\r\\n");
    private static final int BROKEN = -1;
    private static final int UNFINISHED = -2;

    @Override
    protected void fuzz(byte[] input) throws Exception {
        if (input.length == 0) {
            return;
        }
        byte[] sent = Arrays.copyOfRange(input, 1, input.length);
        Random cuts = new Random(input[0]);
        ChunkedBodyReader whole = ChunkedBodyReader.read(sent, () -> sent.length);
        assertSame(whole, ChunkedBodyReader.read(sent, () -> 1));
        assertSame(whole, ChunkedBodyReader.read(sent, () -> 1 + cuts.nextInt(9)));
        Body expected = plain(new String(sent, StandardCharsets.ISO_8859_1));
        if (whole.isComplete()) {
            assertThat(whole.end()).isEqualTo(expected.end);
            assertThat(whole.text()).isEqualTo(expected.text);
            assertReads(sent, expected);
        }
    }

    private static void assertSame(ChunkedBodyReader one, ChunkedBodyReader other) {
        assertThat(other.isComplete()).isEqualTo(one.isComplete());
        assertThat(other.isBroken()).isEqualTo(one.isBroken());
        if (one.isComplete()) {
            assertThat(other.end()).isEqualTo(one.end());
            assertThat(other.text()).isEqualTo(one.text());
        }
    }

    private static void assertReads(byte[] sent, Body expected) throws IOException {
        AnswerReader reader = new AnswerReader();
        byte[] head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
        byte[] upToTheEnd = Arrays.copyOf(head, head.length + expected.end);
        System.arraycopy(sent, 0, upToTheEnd, head.length, expected.end);
        ByteArrayInputStream in = new ByteArrayInputStream(upToTheEnd);
        long length = reader.head(in).bodyLength("GET");
        assertThat(new String(reader.body(in, length, sent.length + 1, bytes -> {}), StandardCharsets.ISO_8859_1))
                .isEqualTo(expected.text);
        assertThat(reader.isClean() && in.available() == 0).isTrue();
    }

    private record Body(int end, String text) {}

    /** RFC 9112 section 7.1 without trailers, read as a whole. */
    private static Body plain(String sent) {
        StringBuilder text = new StringBuilder();
        Matcher line = SIZE_LINE.matcher(sent);
        int at = 0;
        while (true) {
            line.region(at, sent.length());
            boolean found = line.lookingAt();
            if (!found) {
                return new Body(line.hitEnd() ? UNFINISHED : BROKEN, "");
            }
            long size = Long.parseLong(line.group(1), 16);
            at = line.end();
            if (sent.length() - at < size) {
                return new Body(UNFINISHED, "");
            }
            text.append(sent, at, at + (int) size);
            at += (int) size;
            String rest = sent.substring(at, Math.min(sent.length(), at + 2));
            if (!"\r\n".startsWith(rest)) {
                return new Body(BROKEN, "");
            }
            if (rest.length() < 2) {
                return new Body(UNFINISHED, "");
            }
            at += 2;
            if (size == 0) {
                return new Body(at, text.toString());
            }
        }
    }
}
