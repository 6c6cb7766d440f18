package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Headers;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Header bytes above ASCII reach the client as they are; on real sockets. */
@Timeout(60)
class HighHeaderBytesRealClockTest {
    /** In this file each character stands for the byte of its number. */
    private static final String HIGH = high();

    /** A file name in UTF-8. */
    private static final String UTF8 = "attachment; filename=\"\u00c3\u00bcber.pdf\"";

    private static String high() {
        StringBuilder all = new StringBuilder("[");
        for (char c = 0x80; c <= 0xff; c++) {
            all.append(c);
        }
        return all.append(']').toString();
    }

    @Test
    void passUnchangedAndInTheirOrder() throws Exception {
        Headers headers = Headers.none()
                .and("X-High", HIGH)
                .and("Content-Disposition", UTF8)
                .and("Set-Cookie", "a=1")
                .and("Set-Cookie", "b=\u00e9")
                .and("Set-Cookie", "c=3")
                .and("X-Twice", "1")
                .and("x-twice", "2");
        try (HttpSource source = HttpSource.on(0)
                .route("/", "prices", _ -> HttpAnswer.of(200, headers, new byte[0]))
                .build()) {
            source.start();
            try (RawClient client = new RawClient(source.port())) {
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
                String answer = Objects.requireNonNull(client.answer());
                assertThat(answer).startsWith("HTTP/1.1 200 ");
                assertThat(values(answer, "X-High")).containsExactly(HIGH);
                assertThat(values(answer, "Content-Disposition")).containsExactly(UTF8);
                assertThat(values(answer, "Set-Cookie")).containsExactly("a=1", "b=\u00e9", "c=3");
                assertThat(values(answer, "X-Twice")).containsExactly("1", "2");
            }
        }
    }

    private static List<String> values(String answer, String name) {
        return answer.lines()
                .filter(line -> line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
                .map(line -> line.substring(name.length() + 2))
                .toList();
    }
}
