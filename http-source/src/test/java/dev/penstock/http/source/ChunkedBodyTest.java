package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** That the server we build on takes a chunked body to the letter (RFC 9112 section 7.1), or not at all. */
class ChunkedBodyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0\r\n\r\n",
                "2\r\nhi\r\n0\r\n\r\n",
                "02\r\nhi\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0000\r\n\r\n",
                "2;name=value\r\nhi\r\n0;last\r\n\r\n",
                "2 \t; a = \"b;\u00e4\"\r\nhi\r\n0 ;b\r\n\r\n",
                "2\r\n\r\n\r\n0\r\n\r\n",
                "2\r\nhi\r\n0\r\n\r\nGET /next HTTP/1.1\r\nx\n",
            })
    void whatIsFramedRightPassesHoweverItIsCutOnTheWire(String body) {
        assertThat(read(body, body.length()).isComplete()).isTrue();
        assertThat(read(body, 1).isComplete()).isTrue();
        assertThat(read(body, 3).isComplete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2\r\nhiXX0\r\n\r\n",
                "+2\r\nhi\r\n0\r\n\r\n",
                "-2\r\nhi\r\n0\r\n\r\n",
                "0x2\r\nhi\r\n0\r\n\r\n",
                "\r\nhi\r\n0\r\n\r\n",
                " 2\r\nhi\r\n0\r\n\r\n",
                "2\nhi\r\n0\r\n\r\n",
                "2\r\nhi\n0\r\n\r\n",
                "2\r\nhi\r0\r\n\r\n",
                "2;a\nb\r\nhi\r\n0\r\n\r\n",
                "2;a\rb\r\nhi\r\n0\r\n\r\n",
                "2;a\u0000b\r\nhi\r\n0\r\n\r\n",
                "2 2\r\nhi\r\n0\r\n\r\n",
                "2 \r\nhi\r\n0\r\n\r\n",
                "0\r\n;a\r\n",
                "2;\r\nhi\r\n0\r\n\r\n",
                "2\r\nhix\r\n0\r\n\r\n",
                "0\r\nTrailer: x\r\n\r\n",
                "ffffffffffffffff\r\n",
            })
    void whatIsNotFramedToTheLetterIsRefusedHoweverItIsCutOnTheWire(String body) {
        assertThat(read(body, body.length()).isBroken()).isTrue();
        assertThat(read(body, 1).isBroken()).isTrue();
    }

    private static ChunkedBodyReader read(String body, int piece) {
        return ChunkedBodyReader.read(body.getBytes(StandardCharsets.ISO_8859_1), () -> piece);
    }
}
