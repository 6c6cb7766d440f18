package dev.penstock.cli.probe;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.http1.AnswerHead;
import dev.penstock.http.http1.AnswerReader;
import dev.penstock.lab.probe.AnnouncedLimit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HttpServerLimitsTest {
    @Test
    void readsServerLimits() throws IOException {
        AnswerHead head = head("HTTP/1.1 200 OK\r\nServer: nginx\r\nKeep-Alive: timeout=5, max=100\r\n"
                + "RateLimit-Remaining: 9\r\nRetry-After: 3\r\nContent-Length: 2\r\n\r\n");

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
                .contains("HTTP/1.1", "5 s", "100", "nginx", "9", "3");
    }

    @Test
    void findsThatAServerClosesEachConnection() throws IOException {
        assertThat(HttpServerLimits.of(head("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")))
                .extracting(AnnouncedLimit::name)
                .contains("Connection");
        assertThat(HttpServerLimits.of(head("HTTP/1.0 200 OK\r\n\r\n")))
                .extracting(AnnouncedLimit::name)
                .contains("Connection");
    }

    private static AnswerHead head(String head) throws IOException {
        return new AnswerReader().head(new ByteArrayInputStream(head.getBytes(ISO_8859_1)));
    }
}
