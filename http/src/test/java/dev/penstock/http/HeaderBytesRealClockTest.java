package dev.penstock.http;

import static dev.penstock.http.Http2Kit.exchange;
import static dev.penstock.http.Http2Kit.secure;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Header bytes of the target reach the flow as they are; on real sockets. */
@Timeout(60)
class HeaderBytesRealClockTest {
    /** Every byte above ASCII; in this file each character stands for the byte of its number. */
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

    /** The values of each name. */
    private static List<List<String>> fields(HttpAnswer answer, String... names) {
        return Stream.of(names).map(answer.headers()::all).toList();
    }

    @Test
    void overHttp1() throws Exception {
        String head = String.join(
                "\r\n",
                "HTTP/1.1 200 OK",
                "X-High: " + HIGH,
                "Content-Disposition: " + UTF8,
                "Set-Cookie: a=1",
                "Set-Cookie: b=\u00e9",
                "Set-Cookie: c=3",
                "X-Twice: 1",
                "x-twice: 2",
                "Content-Length: 2");
        try (RawPeer peer = RawPeer.answering(head + "\r\n\r\nok");
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            assertThat(fields(target.call(HttpCall.get("/")), "X-High", "Content-Disposition", "Set-Cookie", "X-Twice"))
                    .containsExactly(
                            List.of(HIGH), List.of(UTF8), List.of("a=1", "b=\u00e9", "c=3"), List.of("1", "2"));
        }
    }

    @Test
    void overHttp2() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.answer(
                            talk.request().stream(),
                            "ok",
                            "x-high",
                            HIGH,
                            "content-disposition",
                            UTF8,
                            "set-cookie",
                            "a=1",
                            "set-cookie",
                            "b=\u00e9");
                });
                Http2Exchange exchange = exchange(peer)) {
            HttpCall call = HttpCall.get("/").withHeader("x-high", HIGH);
            assertThat(fields(exchange.send(call, null), "X-High", "Content-Disposition", "Set-Cookie"))
                    .containsExactly(List.of(HIGH), List.of(UTF8), List.of("a=1", "b=\u00e9"));
            assertThat(peer.requests().getFirst().fields()).containsEntry("x-high", HIGH);
        }
    }
}
