package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Unknown;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of which two readers could disagree where they end are refused, and their connections closed; on real sockets. */
@Timeout(60)
class AnswerFramingRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding: \fchunked",
                "Transfer-Encoding: chunked\u000b",
                "Transfer-Encoding: chunked\r",
                "Transfer-Encoding: \u001cchunked",
                "Content-Length: 5\r",
                "Content-Length: \u000b5",
                "Content-Length: 5\f",
                "Content-Length: 5,\u000b5",
                "Content-Length: 5\u001f",
                "X-Other: \u000bvalue\r\nContent-Length: 5"
            })
    void onlySpacesAndTabsAreWhiteSpaceAroundAValue(String field) throws Exception {
        String body = field.startsWith("T") ? "5\r\nhello\r\n0\r\n\r\n" : "hello";
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n" + body);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(HttpCall.get("/")));
            assertThat(unknown).isNotNull();
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
        }
    }

    @Test
    void tooManyTrailersAreNotAClosedConnection() throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
                + "X-Trailer: 1\r\n".repeat(20_000) + "\r\n";
        try (RawPeer peer = RawPeer.answering(answer);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(HttpCall.get("/")));
            assertThat(unknown)
                    .isNotNull()
                    .hasMessageContaining("malformed answer")
                    .hasMessageContaining("header count");
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: \t 5 \t", "Content-Length:5", "Content-Length: 5,\t5"})
    void spacesAndTabsAreStripped(String field) throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 200 OK\r\n" + field + "\r\n\r\nhello");
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            assertThat(target.call(HttpCall.get("/")).text()).isEqualTo("hello");
        }
    }

    @Test
    void twentyInterimAnswersArePassedOver() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 102 Processing\r\n\r\n".repeat(20) + OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            for (int call = 0; call < 2; call++) {
                assertThat(target.call(HttpCall.get("/")).text()).isEqualTo("ok");
            }
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void moreInterimAnswersAreRefused() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 100 Continue\r\n\r\n".repeat(21) + OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(HttpCall.get("/")));
            assertThat(unknown).isNotNull().hasMessageContaining("more than 20 interim answers");
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
        }
    }
}
