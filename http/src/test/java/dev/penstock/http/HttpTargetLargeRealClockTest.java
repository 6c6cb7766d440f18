package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Unknown;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large messages on real sockets. */
@Timeout(120)
class HttpTargetLargeRealClockTest {
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @Test
    void anAnswerThatIsTooLargeIsUnknownAndNamesTheSetting() throws Exception {
        for (String large : new String[] {
            "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n01234567890",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n"
        }) {
            try (RawPeer peer = RawPeer.answering(large);
                    HttpTarget target =
                            HttpTarget.at(peer.url("/")).maxAnswer(10).build()) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
                assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
                assertThat(unknown).hasMessageContaining("10 bytes").hasMessageContaining("pool.max_answer");
            }
        }
    }

    /** Buffers grow for a large message, and carry the next ones as well. */
    @Test
    void largeHeadsAndBodiesTravelBothWays() throws Exception {
        String field = "x".repeat(40_000);
        String large =
                "HTTP/1.1 200 OK\r\nX-Large: " + field + "\r\nContent-Length: 2000000\r\n\r\n" + "y".repeat(2_000_000);
        try (RawPeer peer = RawPeer.answering(large);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            HttpCall call = HttpCall.post("/in", "z".repeat(3_000_000)).withHeader("X-Large", field);
            for (int i = 0; i < 3; i++) {
                HttpAnswer answer = target.call(call);
                assertThat(answer.headers().first("X-Large")).isEqualTo(field);
                assertThat(answer.text()).hasSize(2_000_000).containsOnlyOnce("y".repeat(2_000_000));
            }
            assertThat(peer.requests()).allMatch(request -> request.endsWith("\r\n\r\n" + "z".repeat(3_000_000)));
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerThatComesBeforeTheWholeRequestWasReadIsTheAnswer() throws Exception {
        HttpCall large = HttpCall.post("/in", new byte[30_000_000]);
        String refusal = "HTTP/1.1 413 Too large\r\nContent-Length: 2\r\n\r\nno";
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.requestHead();
                    talk.send(refusal);
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            assertThat(target.call(large).status()).isEqualTo(413);
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
        }
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.requestHead();
                    talk.send(refusal);
                    over.await();
                });
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .responseTimeout(Duration.ofSeconds(2))
                        .build()) {
            assertThat(target.call(large).text()).isEqualTo("no");
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
        } finally {
            over.countDown();
        }
    }
}
