package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.header.Header;
import dev.penstock.kit.program.FuzzHarness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Input: a byte for the size of the pieces that arrive, a byte for method and largest body, then what the target sends. The
 * end of an answer does not depend on the pieces, and an answer that was read reads the same when it is written again.
 */
class AnswerReaderFuzzTest extends FuzzHarness {
    @Override
    protected void fuzz(byte[] input) throws Exception {
        if (input.length < 2) {
            return;
        }
        int piece = 1 + (input[0] & 0xff);
        String method = (input[1] & 1) == 0 ? "GET" : "HEAD";
        int most = (input[1] & 0xff) >>> 1 == 127 ? 16 << 20 : (input[1] & 0xff) << 3;
        byte[] sent = Arrays.copyOfRange(input, 2, input.length);
        allocatingAtMost(2_000_000 + 2_000L * sent.length, () -> {
            Ending whole = read(sent, Integer.MAX_VALUE, method, most);
            assertThat(read(sent, piece, method, most)).isEqualTo(whole);
        });
        Ending whole = read(sent, Integer.MAX_VALUE, method, most);
        if (whole.failure == null) {
            assertThat(whole.body.length()).isLessThanOrEqualTo(Math.min(most, sent.length));
            List<Header> fields = new ArrayList<>(whole.fields);
            fields.removeIf(field -> field.is("Content-Length") || field.is("Transfer-Encoding"));
            fields.addFirst(new Header("Content-Length", "" + whole.body.length()));
            assertThat(read(written(whole, fields), 1, "GET", most))
                    .isEqualTo(new Ending(whole.status, fields, whole.body, true, null));
        }
    }

    /** How reading ended. Two endings are equal when a caller could not tell them apart. */
    private record Ending(
            int status,
            List<Header> fields,
            String body,
            boolean isClean,
            @Nullable String failure) {}

    private static Ending read(byte[] sent, int piece, String method, int most) {
        AnswerReader reader = new AnswerReader();
        ByteArrayInputStream in = new ByteArrayInputStream(sent) {
            @Override
            public int read(byte[] into, int at, int count) {
                assertThat(into.length).isLessThanOrEqualTo(Math.max(16 << 10, 2 * sent.length));
                return super.read(into, at, Math.min(count, piece));
            }
        };
        int status = 0;
        List<Header> fields = new ArrayList<>();
        try {
            AnswerHead head = reader.head(in);
            while (head.isInterim()) {
                head = reader.head(in);
            }
            status = head.status();
            head.headers().forEach(fields::add);
            assertThat(head.keep(0)).isNotNegative();
            long length = head.bodyLength(method);
            byte[] body = reader.body(in, length, most, bytes -> {});
            boolean clean = reader.isClean();
            // Bytes behind the answer are in the stream or in a buffer; either way the connection is not used again.
            boolean reusable = clean && in.available() == 0;
            String text = new String(body, StandardCharsets.ISO_8859_1);
            return new Ending(status, fields, text, reusable, null);
        } catch (IOException refused) {
            return new Ending(status, fields, "", false, refused.getClass() + " " + refused.getMessage());
        }
    }

    private static byte[] written(Ending answer, List<Header> fields) {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + answer.status + "\r\n");
        fields.forEach(field ->
                text.append(field.name()).append(": ").append(field.value()).append("\r\n"));
        return text.append("\r\n").append(answer.body).toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
