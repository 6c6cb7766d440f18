package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkFramingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0\r\n\r\n",
                "2\r\nhi\r\n0\r\n\r\n",
                "02\r\nhi\r\n1A\r\nabcdefghijklmnopqrstuvwxyz\r\n0000\r\n\r\n",
                "2;name=value\r\nhi\r\n0;last\r\n\r\n",
                "2 \t; a = \"b;\u00e4\"\r\nhi\r\n0 ;\r\n\r\n",
                "2\r\n\r\n\r\n0\r\n\r\n",
                "2\r\nhi\r\n0\r\n\r\nGET /next HTTP/1.1\r\nx\n",
            })
    void whatIsFramedRightPassesHoweverItIsCutOnTheWire(String body) {
        assertThatCode(() -> follow(body, body.length())).doesNotThrowAnyException();
        assertThatCode(() -> follow(body, 1)).doesNotThrowAnyException();
        assertThatCode(() -> follow(body, 3)).doesNotThrowAnyException();
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
                "2\r\nhix\r\n0\r\n\r\n",
                "0\r\nTrailer: x\r\n\r\n",
                "ffffffffffffffff\r\n",
            })
    void whatIsNotFramedToTheLetterIsRefusedHoweverItIsCutOnTheWire(String body) {
        assertThatThrownBy(() -> follow(body, body.length())).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> follow(body, 1)).isInstanceOf(BadInput.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2;", "2 "})
    void theLineOfAChunksSizeIsBounded(String start) {
        String rest = start.substring(1).repeat(4096);
        assertThatCode(() -> follow("2" + rest, 1000)).doesNotThrowAnyException();
        assertThatThrownBy(() -> follow("2;" + rest + rest, 1000))
                .isInstanceOfSatisfying(
                        BadInput.class,
                        wrong -> assertThat(wrong.answer().status()).isEqualTo(413));
    }

    private static void follow(String body, int piece) {
        byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        ChunkFraming framing = new ChunkFraming();
        for (int at = 0; at < bytes.length; at += piece) {
            framing.follow(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + piece)));
        }
    }
}
