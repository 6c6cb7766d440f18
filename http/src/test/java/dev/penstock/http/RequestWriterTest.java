package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.http1.RequestWriter;
import dev.penstock.http.pool.Proxy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.io.DefaultHttpRequestParser;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.http.message.RequestLine;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.junit.jupiter.api.Test;

class RequestWriterTest {
    private static final Address GATEWAY = Address.of("http://gw.example:81/");
    private static final String MARKS = "!#$%&'*+-.^_`|~";
    private static final int LARGE = 1_000_000;

    private final RequestWriter writer = new RequestWriter(Http1Codec.form(GATEWAY, null));

    /** One writer for all: nothing of a request may get into the next. */
    @Property(tries = 2_000)
    void whatIsWrittenIsReadBackAsItWas(@ForAll("calls") HttpCall call, @ForAll boolean bounded)
            throws IOException, HttpException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(writer, call, bounded ? 250 : 0, out);

        ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
        SessionInputBufferImpl buffer = new SessionInputBufferImpl(new BasicHttpTransportMetrics(), 8192);
        List<String> lines = new ArrayList<>();
        ClassicHttpRequest read = parser(lines).parse(buffer, in);
        assertThat(read.getMethod()).isEqualTo(call.method());
        assertThat(lines).containsExactly(call.method() + " " + call.path() + " HTTP/1.1");
        assertThat(Arrays.stream(read.getHeaders()).map(field -> new Header(field.getName(), field.getValue())))
                .containsExactlyElementsOf(expected(call, bounded));
        assertThat(rest(buffer, in)).isEqualTo(call.body());
    }

    private static void write(RequestWriter writer, HttpCall call, long millisLeft, OutputStream to)
            throws IOException {
        writer.write(call.method(), call.path(), call.headers(), call.body(), millisLeft, to);
    }

    /** HttpCore's, which is told of the request line as it stands: it would make an authority of what begins with {@code //}. */
    private static DefaultHttpRequestParser parser(List<String> lines) {
        return new DefaultHttpRequestParser() {
            @Override
            protected ClassicHttpRequest createMessage(CharArrayBuffer buffer) throws HttpException {
                RequestLine line = BasicLineParser.INSTANCE.parseRequestLine(buffer);
                lines.add(line.getMethod() + " " + line.getUri() + " " + line.getProtocolVersion());
                return new BasicClassicHttpRequest(line.getMethod(), "/");
            }
        };
    }

    private static List<Header> expected(HttpCall call, boolean bounded) {
        List<Header> fields = new ArrayList<>(List.of(new Header("Host", "gw.example:81")));
        call.headers().forEach(fields::add);
        if (bounded) {
            fields.add(new Header("Penstock-Deadline-Ms", "250"));
        }
        if (call.body().length > 0 || List.of("POST", "PUT", "PATCH").contains(call.method())) {
            fields.add(new Header("Content-Length", Integer.toString(call.body().length)));
        }
        return fields;
    }

    private static byte[] rest(SessionInputBufferImpl buffer, ByteArrayInputStream in) throws IOException {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        byte[] part = new byte[8192];
        for (int count = buffer.read(part, in); count > 0; count = buffer.read(part, in)) {
            rest.write(part, 0, count);
        }
        return rest.toByteArray();
    }

    @Provide
    Arbitrary<HttpCall> calls() {
        Arbitrary<String> token = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars(MARKS)
                .ofMinLength(1)
                .ofMaxLength(20);
        Arbitrary<String> method = Arbitraries.oneOf(Arbitraries.of("GET", "POST", "PUT", "PATCH", "HEAD"), token);
        Arbitrary<String> path = Arbitraries.strings()
                .withCharRange('!', '~')
                .ofMaxLength(60)
                .map(text -> "/" + text.replace('#', '?'))
                .filter(RequestWriterTest::isPath);
        Arbitrary<String> value = Arbitraries.strings()
                .withChars('\t', 'é', '\u0080', '\u00ff')
                .withCharRange(' ', '~')
                .ofMaxLength(300);
        Arbitrary<Headers> headers = Combinators.combine(token, value)
                .as(Header::new)
                .list()
                .ofMaxSize(30)
                .map(fields -> HttpTarget.forwarded(Headers.of(fields)));
        Arbitrary<byte[]> body =
                Arbitraries.bytes().array(byte[].class).ofMinSize(0).ofMaxSize(9_000);
        return Combinators.combine(method, path, headers, body).as(HttpCall::of);
    }

    private static boolean isPath(String text) {
        try {
            return HttpCall.get(text).path().equals(text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void aSmallRequestGoesOutInOnePiece() throws IOException {
        Pieces pieces = new Pieces();
        write(writer, HttpCall.post("/", new byte[3_000]), 0, pieces);
        assertThat(pieces.sizes).hasSize(1);
    }

    /** The system copies what it is given, and may take a part: a large body whole would be copied again and again. */
    @Test
    void aLargeBodyGoesOutInPieces() throws IOException {
        byte[] body = new byte[LARGE];
        new Random(1).nextBytes(body);
        Pieces pieces = new Pieces();
        write(writer, HttpCall.post("/", body), 0, pieces);
        assertThat(pieces.sizes).allMatch(size -> size <= 64 << 10);
        byte[] all = pieces.toByteArray();
        assertThat(Arrays.copyOfRange(all, all.length - LARGE, all.length)).isEqualTo(body);
    }

    @Test
    void aProxyThatPassesRequestsOnIsToldWhereTo() throws IOException {
        Proxy proxy = new Proxy("proxy", 1, "Basic QQ==");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        write(new RequestWriter(Http1Codec.form(GATEWAY, proxy)), HttpCall.get("/v1?a"), 0, out);
        assertThat(out.toString(StandardCharsets.ISO_8859_1))
                .isEqualTo("GET http://gw.example:81/v1?a HTTP/1.1\r\nHost: gw.example:81\r\n"
                        + "Proxy-Authorization: Basic QQ==\r\n\r\n");
    }

    private static final class Pieces extends ByteArrayOutputStream {
        private final List<Integer> sizes = new ArrayList<>();

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            sizes.add(length);
            super.write(bytes, from, length);
        }
    }
}
