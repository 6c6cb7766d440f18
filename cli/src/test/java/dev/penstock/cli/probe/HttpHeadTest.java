package dev.penstock.cli.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.lab.probe.AnnouncedLimit;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpHeadTest {
    @Test
    void readsServerLimits() throws IOException {
        HttpHead head = head("HTTP/1.1 200 OK\r\nServer: nginx\r\nKeep-Alive: timeout=5, max=100\r\n"
                + "RateLimit-Remaining: 9\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\nhi");

        assertThat(HttpServerLimits.of(head))
                .extracting(AnnouncedLimit::name)
                .containsExactly(
                        "version",
                        "Keep-Alive: timeout",
                        "Keep-Alive: max",
                        "Server",
                        "RateLimit-Remaining",
                        "Retry-After");
        assertThat(HttpServerLimits.of(head))
                .extracting(AnnouncedLimit::value)
                .contains("5 s", "100", "nginx", "9", "3");
        assertThat(head.closes()).isFalse();
        assertThat(head("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                        .closes())
                .isTrue();
        assertThat(head("HTTP/1.0 200 OK\r\n\r\nto the end").closes()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: x\r\n\r\n",
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n",
            })
    void leavesTheConnectionBeforeTheNextAnswer(String answer) throws IOException {
        ByteArrayInputStream in = in(answer + "HTTP/1.1 418 Teapot\r\n\r\n");
        HttpHead.read(in, false);
        assertThat(HttpHead.read(in, true).status()).isEqualTo(418);
    }

    @Test
    void distinguishesEndOfStreamFromGarbage() {
        assertThatThrownBy(() -> head("")).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> head("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"))
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> head("SSH-2.0-OpenSSH\r\n")).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> head("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"))
                .isInstanceOf(ProtocolException.class);
    }

    private static HttpHead head(String answer) throws IOException {
        return HttpHead.read(in(answer), false);
    }

    private static ByteArrayInputStream in(String answer) {
        return new ByteArrayInputStream(answer.getBytes(ISO_8859_1));
    }
}
