package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // what matters here is where each line ends, and how
class StrictRequestReaderTest {
    private static final int MAX_BODY = 1_000;

    @Test
    void readsARequestWithABodyOfKnownLength() throws IOException {
        StrictRequestReader reader =
                reader("POST /v1/pay HTTP/1.1\r\nHost: a\r\nIDEMPOTENCY-key:  k1 \r\nContent-Length: 5\r\n\r\nhello");

        assertThat(reader.await()).isTrue();
        RequestHead head = reader.head();
        assertThat(head.method()).isEqualTo("POST");
        assertThat(head.target()).isEqualTo("/v1/pay");
        assertThat(head.header("Idempotency-Key")).isEqualTo("k1");
        assertThat(head.keepsAlive()).isTrue();
        assertThat(text(reader.body(head))).isEqualTo("hello");
        assertThat(reader.await()).isFalse();
    }

    @Test
    void readsChunksWithExtensionsAndTrailers() throws IOException {
        StrictRequestReader reader = reader("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5;note=\"x\"\r\nhello\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nTrailer: t\r\n\r\n");

        assertThat(text(reader.body(reader.head()))).isEqualTo("helloabcdefghijklmnopqrstuvwxyz");
        assertThat(reader.await()).isFalse();
    }

    @Test
    void readsPipelinedRequestsOneAfterAnother() throws IOException {
        StrictRequestReader reader = reader("POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
                + "\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.0\r\n\r\n");

        RequestHead first = reader.head();
        assertThat(text(reader.body(first))).isEqualTo("x");
        assertThat(reader.buffered()).isTrue();
        assertThat(reader.head().target()).isEqualTo("/2");
        RequestHead third = reader.head();
        assertThat(third.target()).isEqualTo("/3");
        assertThat(third.keepsAlive()).isFalse();
    }

    @Test
    void readsTheSameFromOneByteAtATime() throws IOException {
        byte[] bytes = bytes("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        ByteArrayInputStream in = new ByteArrayInputStream(bytes);
        StrictRequestReader reader = new StrictRequestReader((into, from, most) -> in.read(into, from, 1), MAX_BODY);

        assertThat(text(reader.body(reader.head()))).isEqualTo("abc");
    }

    @Test
    void hearsTheWishToCloseAmongOtherOptions() throws IOException {
        assertThat(reader("GET / HTTP/1.1\r\nHost: a\r\nConnection: TE, Close\r\n\r\n")
                        .head()
                        .keepsAlive())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | GET /\\r\\n\\r\\n",
                "400 | GET  / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n",
                "400 | G@T / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n",
                "400 | GET / http/1.1\\r\\nHost: a\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\nHost: a\\n\\n",
                "400 | GET / HTTP/1.1\\r\\rHost: a\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\r\\nHost: a\\r\\nHost: b\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\r\\nHost : a\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\r\\nHost: a\\r\\n folded\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\r\\nHost: a\\r\\n: x\\r\\n\\r\\n",
                "400 | GET / HTTP/1.1\\r\\nHost: a\\0b\\r\\n\\r\\n",
                "400 | POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: -1\\r\\n\\r\\n",
                "400 | POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 1\\r\\nContent-Length: 1\\r\\n\\r\\nx",
                "400 | POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n",
                "501 | POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: gzip\\r\\n\\r\\n",
                "400 | POST / HTTP/1.0\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n",
                "400 | POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nx\\r\\n",
                "400 | POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n1\\r\\nab\\r\\n",
                "413 | POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 1001\\r\\n\\r\\n",
                "413 | POST / HTTP/1.1\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nffffffff\\r\\n",
                "505 | GET / HTTP/2.0\\r\\nHost: a\\r\\n\\r\\n",
            })
    void refusesWhatIsNotStrict(int status, String request) {
        String unescaped = request.replace("\\r", "\r")
                .replace("\\n", "\n")
                .replace("\\0", "\0")
                .replace("\\t", "\t");
        assertThatExceptionOfType(BadRequest.class)
                .isThrownBy(() -> whole(unescaped))
                .satisfies(bad -> assertThat(bad.status()).isEqualTo(status))
                .satisfies(bad -> assertThat(bad.getMessage()).doesNotContain("\n"));
    }

    @Test
    void refusesAHeadBeyondItsBounds() {
        String start = "GET / HTTP/1.1\r\nHost: a\r\n";
        String tooLong = start + "X: " + "x".repeat(StrictRequestReader.MAX_HEAD) + "\r\n\r\n";
        String tooMany = start + "X: y\r\n".repeat(StrictRequestReader.MAX_HEADERS) + "\r\n";

        for (String request : new String[] {tooLong, tooMany}) {
            assertThatExceptionOfType(BadRequest.class)
                    .isThrownBy(() -> whole(request))
                    .satisfies(bad -> assertThat(bad.status()).isEqualTo(431));
        }
    }

    @Test
    void refusesChunksThatTogetherAreTooLarge() {
        String chunk = "190\r\n" + "x".repeat(400) + "\r\n";

        assertThatExceptionOfType(BadRequest.class)
                .isThrownBy(() -> whole("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + chunk.repeat(3) + "0\r\n\r\n"))
                .satisfies(bad -> assertThat(bad.status()).isEqualTo(413));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HT",
                "GET / HTTP/1.1\r\nHost: a\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
            })
    void tellsAnEndWithinARequestFromBadInput(String request) {
        assertThatExceptionOfType(EOFException.class).isThrownBy(() -> whole(request));
    }

    private static void whole(String request) throws IOException {
        StrictRequestReader reader = reader(request);
        reader.body(reader.head());
    }

    private static StrictRequestReader reader(String text) {
        ByteArrayInputStream in = new ByteArrayInputStream(bytes(text));
        return new StrictRequestReader(in::read, MAX_BODY);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
