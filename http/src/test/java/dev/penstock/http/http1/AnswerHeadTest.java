package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParserFactory;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnswerHeadTest {
    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void tellsForHowLongAConnectionPersists() throws IOException {
        assertThat(keep("HTTP/1.1 200 OK\r\nContent-Length: 0")).isEqualTo(Long.MAX_VALUE);
        assertThat(keep("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x, Close"))
                .isZero();
        assertThat(keep("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: timeout=5, max=9"))
                .isEqualTo(4_500_000_000L);
        assertThat(keep("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: max=9, Timeout=\"1\""))
                .isEqualTo(900_000_000L);
        assertThat(keep("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nKeep-Alive: timeout=0"))
                .isZero();
        assertThat(keep("HTTP/1.0 200 OK\r\nContent-Length: 0")).isZero();
        assertThat(keep("HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive"))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(keep("HTTP/1.1 200 OK")).isZero();
    }

    private static long keep(String text) throws IOException {
        AnswerHead head = new AnswerReader().head(stream(text + "\r\n\r\n"));
        return head.keep(head.bodyLength("GET"));
    }

    /** What both take, both understand alike; what is refused here, and not there, is no field of ours or out of bounds. */
    @Property(tries = 3_000)
    void understandsHeadsAsHttpCoreDoes(@ForAll("heads") String text) {
        List<String> theirs = theirs(text);
        List<String> ours = ours(text);
        if (ours != null) {
            assertThat(ours).as(text).isEqualTo(theirs);
        }
    }

    @Provide
    Arbitrary<String> heads() {
        Arbitrary<String> pieces = Arbitraries.of(
                "A", "Content-Length", "Connection", ":", ": ", " ", "\t", "close", "5", ",", "x y", "=", "\"", "é");
        Arbitrary<String> line = pieces.list().ofMaxSize(5).map(parts -> String.join("", parts));
        Arbitrary<String> field = Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(3, Arbitraries.of("A: 1", "Bb:two", "C:", "D : x", "E: a  b ", " more")),
                net.jqwik.api.Tuple.of(1, line.filter(text -> !text.isEmpty())));
        Arbitrary<String> status =
                Arbitraries.of("HTTP/1.1 200 OK", "HTTP/1.0 404", "HTTP/1.1 503 a b", "HTTP/1.1 200 ");
        Arbitrary<String> end = Arbitraries.of("\r\n", "\n");
        return net.jqwik.api.Combinators.combine(status, field.list().ofMaxSize(6), end)
                .as((first, fields, newline) -> first
                        + newline
                        + String.join(
                                "", fields.stream().map(one -> one + newline).toList())
                        + newline);
    }

    /** White space where a line goes on may be one blank or more. */
    private static String line(String name, @Nullable String value) {
        return name + "=" + (value == null ? "" : value.replaceAll("[ \t]+", " "));
    }

    private static @Nullable List<String> ours(String text) {
        try {
            AnswerHead head = new AnswerReader().head(stream(text));
            List<String> all = new ArrayList<>();
            all.add(head.minorVersion() + " " + head.status());
            head.headers().forEach(field -> all.add(line(field.name(), field.value())));
            return all;
        } catch (IOException e) {
            return null;
        }
    }

    private static List<String> theirs(String text) {
        try {
            SessionInputBufferImpl buffer = new SessionInputBufferImpl(new BasicHttpTransportMetrics(), 8192);
            ClassicHttpResponse response =
                    new DefaultHttpResponseParserFactory().create().parse(buffer, stream(text));
            List<String> all = new ArrayList<>();
            all.add(response.getVersion().getMinor() + " " + response.getCode());
            Arrays.stream(response.getHeaders()).forEach(field -> all.add(line(field.getName(), field.getValue())));
            return all;
        } catch (IOException | HttpException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }
}
