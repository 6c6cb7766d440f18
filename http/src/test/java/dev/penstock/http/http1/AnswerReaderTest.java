package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerReaderTest {
    private static final BodyReader.Memory NO_BUDGET = bytes -> {};

    private final AnswerReader reader = new AnswerReader();

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A stream that brings so many bytes at a time. */
    private static InputStream drops(String text, int size) {
        return new FilterInputStream(stream(text)) {
            @Override
            public int read(byte[] into, int at, int count) throws IOException {
                return super.read(into, at, Math.min(count, size));
            }
        };
    }

    private String whole(String text, String method) throws IOException {
        InputStream in = stream(text);
        AnswerHead head = reader.head(in);
        byte[] body = reader.body(in, head.bodyLength(method), 1000, NO_BUDGET);
        return head.status() + " " + new String(body, StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void readsHeadsAndBodiesHoweverTheyCome(int size) throws IOException {
        String text = "HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 3\r\n\r\nabc"
                + "HTTP/1.1 201\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1;x=y\r\nf\r\n0\r\nT: 1\r\n\r\n"
                + "HTTP/1.0 404 no\nB:  two words \n\nrest";
        InputStream in = drops(text, size);
        AnswerHead first = reader.head(in);
        assertThat(first.headers().first("a")).isEqualTo("1");
        assertThat(reader.body(in, first.bodyLength("GET"), 3, NO_BUDGET))
                .asString()
                .isEqualTo("abc");
        AnswerHead second = reader.head(in);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.bodyLength("GET")).isEqualTo(AnswerHead.CHUNKED);
    }

    @Test
    void readsABodyInChunksAndToTheEndOfTheStream() throws IOException {
        assertThat(whole(
                        "HTTP/1.1 201\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1;x=y\r\nf\r\n0\r\nT: 1\r\n\r\n",
                        "GET"))
                .isEqualTo("201 def");
        assertThat(reader.isClean()).isTrue();
        assertThat(whole("HTTP/1.0 404 no\nB:  two words \n\nrest", "GET")).isEqualTo("404 rest");
        assertThat(reader.isClean()).isTrue();
    }

    @Test
    void whatNobodyAskedForIsLeftAndNotClean() throws IOException {
        assertThat(whole("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc", "GET"))
                .isEqualTo("200 a");
        assertThat(reader.isClean()).isFalse();
    }

    @Test
    void whatComesAfterTheLastChunkIsNotClean() throws IOException {
        assertThat(whole("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nHTTP", "GET"))
                .isEqualTo("200 a");
        assertThat(reader.isClean()).isFalse();
    }

    @Test
    void someAnswersHaveNoBodyWhateverTheySay() throws IOException {
        assertThat(whole("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "HEAD"))
                .isEqualTo("200 ");
        assertThat(whole("HTTP/1.1 304 Same\r\nContent-Length: 9\r\n\r\n", "GET"))
                .isEqualTo("304 ");
        assertThat(whole("HTTP/1.1 204 None\r\nTransfer-Encoding: chunked\r\n\r\n", "GET"))
                .isEqualTo("204 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTQ/1.1 200 OK\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1 600 OK\r\n\r\n",
                "HTTP/1.1 2000\r\n\r\n",
                "HTTP/1.1 200 OK\r\n folded: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: no name\r\n\r\n",
                "HTTP/1.1 200 OK\r\nb\u0001d: 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nbad: a\u0000b\r\n\r\n",
                "HTTP/1.1 200 OK\r\nbad: a\rb\r\n\r\n",
                "\r\nHTTP/1.1 200 OK\r\n\r\n",
                "garbage garbage garbage\r\n\r\n",
            })
    void refusesWhatIsNoHead(String text) {
        assertThatThrownBy(() -> reader.head(stream(text))).isInstanceOf(MalformedAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1\r\nContent-Length: 2",
                "Content-Length: 1, 2",
                "Content-Length: -1",
                "Content-Length: +1",
                "Content-Length: 0x1",
                "Content-Length:",
                "Content-Length: 9999999999999999999",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 1",
            })
    void refusesABodyWhoseEndCouldBeDisputed(String fields) throws IOException {
        AnswerHead head = reader.head(stream("HTTP/1.1 200 OK\r\n" + fields + "\r\n\r\na"));
        assertThatThrownBy(() -> head.bodyLength("GET")).isInstanceOf(MalformedAnswer.class);
    }

    @Test
    void equalLengthsAreOne() throws IOException {
        assertThat(whole("HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\nContent-Length: 1\r\n\r\na", "GET"))
                .isEqualTo("200 a");
    }

    @Test
    void joinsLinesThatGoOn() throws IOException {
        AnswerHead head = reader.head(stream("HTTP/1.1 200 OK\r\nA : one\r\n  two\r\n\tthree\r\n\r\n"));
        assertThat(head.headers().first("A")).isEqualTo("one two three");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200",
                "HTTP/1.1 200 OK\r\nA: 1\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            })
    void theEndOfTheStreamTooEarlyIsTold(String text) {
        assertThatThrownBy(() -> whole(text, "GET")).isInstanceOfAny(EOFException.class, IOException.class);
    }

    @Test
    void aHeadHasBounds() {
        assertThatThrownBy(() -> reader.head(stream("HTTP/1.1 200 OK\r\nA: " + "x".repeat(70_000))))
                .isInstanceOf(MalformedAnswer.class)
                .hasMessageContaining("65536");
        AnswerReader other = new AnswerReader();
        assertThatThrownBy(() -> other.head(stream("HTTP/1.1 200 OK\r\n" + "A: 1\r\n".repeat(201) + "\r\n")))
                .isInstanceOf(MalformedAnswer.class)
                .hasMessageContaining("200 header fields");
    }

    @Test
    void aBodyThatIsTooLargeIsNotRead() {
        for (String framing : List.of("Content-Length: 5", "Transfer-Encoding: chunked", "X: 1")) {
            String body = framing.startsWith("T") ? "5\r\nabcde\r\n0\r\n\r\n" : "abcde";
            assertThatThrownBy(() -> {
                        AnswerReader one = new AnswerReader();
                        InputStream in = stream("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n" + body);
                        AnswerHead head = one.head(in);
                        one.body(in, head.bodyLength("GET"), 4, NO_BUDGET);
                    })
                    .isInstanceOf(AnswerTooLarge.class);
        }
    }

    /** A head that needed a larger buffer left its place in it behind. */
    @Test
    void readsOnAfterALargeHead() throws IOException {
        String large = "HTTP/1.1 200 OK\r\nA: " + "x".repeat(20_000) + "\r\nContent-Length: 1\r\n\r\na";
        assertThat(whole(large, "GET")).isEqualTo("200 a");
        assertThat(reader.isClean()).isTrue();
        assertThat(whole("HTTP/1.1 201 OK\r\nContent-Length: 1\r\n\r\nb", "GET"))
                .isEqualTo("201 b");
    }

    @Test
    void tellsWhetherAnAnswerHasBegun() throws IOException {
        assertThat(reader.hasBegun()).isFalse();
        assertThatThrownBy(() -> reader.head(stream("H"))).isInstanceOf(EOFException.class);
        assertThat(reader.hasBegun()).isTrue();
        AnswerReader other = new AnswerReader();
        AnswerHead interim = other.head(stream("HTTP/1.1 100 Continue\r\n\r\n"));
        assertThat(interim.isInterim()).isTrue();
        assertThatThrownBy(() -> other.head(stream(""))).isInstanceOf(EOFException.class);
        assertThat(other.hasBegun()).isTrue();
        assertThat(other.isClean()).isTrue();
        assertThat(other.hasBegun()).isFalse();
    }

    /** A target may declare any length, and send nothing. */
    @Test
    void aBodyTakesMemoryAsItArrivesAndNotAsItIsDeclared() throws IOException {
        int declared = 16 << 20;
        AtomicInteger largest = new AtomicInteger();
        InputStream in = new FilterInputStream(stream("x".repeat(100_000))) {
            @Override
            public int read(byte[] into, int at, int count) throws IOException {
                largest.accumulateAndGet(into.length, Math::max);
                return super.read(into, at, Math.min(count, 1_000));
            }
        };
        assertThatThrownBy(() -> reader.body(in, declared, declared, NO_BUDGET)).isInstanceOf(EOFException.class);
        assertThat(largest).hasValueLessThanOrEqualTo(400_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8_192, 16_383, 16_384, 16_385, 100_000})
    void aBodyOfAnyLengthIsReadToItsLastByte(int length) throws IOException {
        byte[] body = new byte[length];
        new Random(length).nextBytes(body);
        String text = new String(body, StandardCharsets.ISO_8859_1);
        InputStream in = drops("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + text + "rest", 5_000);
        AnswerHead head = reader.head(in);
        assertThat(reader.body(in, head.bodyLength("GET"), length, NO_BUDGET)).isEqualTo(body);
    }
}
