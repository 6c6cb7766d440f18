package dev.penstock.http.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.RawPeer;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches over a socket: what goes over it, and what becomes of each kind of answer. */
@Timeout(120)
class HttpBatchRealClockTest {
    private static final HttpCall ONE = HttpCall.post("/pay", "{\"id\":1}").withHeader("Authorization", "a");
    private static final HttpCall TWO = HttpCall.post("/pay", "{\"id\":2}").withHeader("Authorization", "a");

    private static String answer(int status, String body) {
        return "HTTP/1.1 " + status + " X\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    private static BatchEndings<HttpAnswer> send(String answer, HttpCall... calls) throws Exception {
        return send(answer, Function.identity(), calls);
    }

    private static BatchEndings<HttpAnswer> send(String answer, Function<HttpBatch, HttpBatch> told, HttpCall... calls)
            throws Exception {
        try (RawPeer peer = RawPeer.answering(answer);
                HttpBatch batch = told.apply(HttpBatch.over(HttpTarget.of(peer.url("/batch")), JsonBatch.array()))) {
            return batch.call(List.of(calls));
        }
    }

    @Test
    void aBatchIsOnePostToItsUrl() throws Exception {
        try (RawPeer peer = RawPeer.answering(answer(207, "[\"a\", {\"b\":2}]"));
                HttpTarget target = HttpTarget.at(peer.url("/v1/batch?v=2"))
                        .header("X-Fixed", "f")
                        .build();
                HttpBatch batch = HttpBatch.over(target, JsonBatch.array())) {
            BatchEndings<HttpAnswer> endings = batch.call(List.of(ONE, TWO.withHeader("traceparent", "t")));
            assertThat(endings.answer(0).text()).isEqualTo("\"a\"");
            assertThat(endings.answer(1).text()).isEqualTo("{\"b\":2}");
            assertThat(peer.requests()).hasSize(1);
            assertThat(peer.requests().getFirst())
                    .startsWith("POST /v1/batch?v=2 HTTP/1.1\r\n")
                    .contains(
                            "\r\nAuthorization: a\r\n", "\r\nX-Fixed: f\r\n", "\r\nContent-Type: application/json\r\n")
                    .doesNotContain("traceparent")
                    .endsWith("\r\n\r\n[{\"id\":1},{\"id\":2}]");
            assertThat(batch.connections()).containsEntry("opened", 1L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 409, 413, 422})
    void aRefusalOfManyIsToBeHalvedAndOfOneIsItsAnswer(int status) throws Exception {
        String no = answer(status, "no");
        assertThatThrownBy(() -> send(no, ONE, TWO))
                .isInstanceOfSatisfying(
                        Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.REFUSED));
        assertThat(send(no, ONE).answer(0).status()).isEqualTo(status);
        BatchEndings<HttpAnswer> whole = send(no, HttpBatch::whole, ONE, TWO);
        assertThat(whole.answer(0).status()).isEqualTo(status);
        assertThat(whole.answer(1).text()).isEqualTo("no");
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 407, 408, 421, 425, 429, 500, 502, 503, 504})
    void whatSpeaksOfTheTargetOrOfWhoAsksIsTheAnswerOfAll(int status) throws Exception {
        BatchEndings<HttpAnswer> endings = send(answer(status, "no"), ONE, TWO);
        assertThat(endings.answer(0).status()).isEqualTo(status);
        assertThat(endings.answer(1).status()).isEqualTo(status);
        assertThat(endings.isBusy()).isEqualTo(status == 429 || status == 503);
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 303, 307, 200, 202})
    void whatTellsNothingOfAnyRequestLeavesAllUnknown(int status) {
        assertThatThrownBy(() -> send(answer(status, "[1]"), ONE, TWO))
                .isInstanceOfSatisfying(
                        Unknown.class, ending -> assertThat(ending.why()).isEqualTo(Unknown.Cause.GARBLED));
    }

    @Test
    void aConnectionThatEndsLeavesAllUnknown() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> talk.request());
                HttpBatch batch = HttpBatch.over(HttpTarget.of(peer.url("/")), JsonBatch.lines())) {
            assertThatThrownBy(() -> batch.call(List.of(ONE, TWO)))
                    .isInstanceOfSatisfying(
                            Unanswered.class, ending -> assertThat(ending.why()).isEqualTo(Unknown.Cause.CLOSED));
        }
    }

    @Test
    void whatMayNotShareACallIsRefusedBeforeAnythingIsSent() throws Exception {
        try (RawPeer peer = RawPeer.answering(answer(200, "[1,2]"));
                HttpBatch batch = HttpBatch.over(HttpTarget.of(peer.url("/")), JsonBatch.array())) {
            for (List<HttpCall> calls : List.of(
                    List.of(ONE, TWO.withHeader("Authorization", "b")),
                    List.of(ONE, TWO.withHeader("Idempotency-Key", "k")),
                    List.of(ONE, HttpCall.post("/pay", "1,2").withHeader("Authorization", "a")),
                    List.of(HttpCall.post("/pay?x=1", "1")),
                    List.of(HttpCall.post("/pay", "x")))) {
                assertThatThrownBy(() -> batch.call(calls))
                        .isInstanceOfSatisfying(
                                Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.REFUSED))
                        .hasMessageContaining("nothing was sent");
            }
            assertThat(peer.connections()).isZero();
            assertThat(batch.call(List.of()).size()).isZero();
        }
    }

    @Test
    void aBatchOfOneBearsItsKey() throws Exception {
        try (RawPeer peer = RawPeer.answering(answer(200, "[1]"));
                HttpBatch batch = HttpBatch.over(HttpTarget.of(peer.url("/")), JsonBatch.array())) {
            assertThat(batch.call(List.of(ONE.withHeader("Idempotency-Key", "k")))
                            .answer(0)
                            .text())
                    .isEqualTo("1");
            assertThat(peer.requests().getFirst()).contains("\r\nIdempotency-Key: k\r\n");
        }
    }

    @Test
    void aTargetAndItsBatchesShareConnections() throws Exception {
        try (RawPeer peer = RawPeer.answering(answer(200, "[1]"));
                HttpTarget target = HttpTarget.at(peer.url("/v1/pay"))
                        .sourcePath("/pay")
                        .header("X-Fixed", "f")
                        .build()) {
            HttpBatch batch = HttpBatch.over(target.on("/v1/batch?v=2"), JsonBatch.array());
            target.call(ONE);
            batch.call(List.of(ONE));
            assertThat(target.connections()).containsEntry("opened", 1L);
            assertThat(peer.requests().getLast())
                    .startsWith("POST /v1/batch?v=2 ")
                    .contains("X-Fixed: f");
            assertThat(batch.where()).isEqualTo(peer.url("/v1/batch"));
            assertThat(batch.settings()).anyMatch(setting -> setting.name().equals("collapse.pool.max"));
        }
    }

    @Test
    void anErrorOfAFormatBeforeAnythingIsSentFailsTheBatch() throws Exception {
        BatchFormat own = new BatchFormat() {
            @Override
            public boolean fits(HttpCall request) {
                return true;
            }

            @Override
            public HttpCall call(List<HttpCall> requests) {
                throw new StackOverflowError("too deep");
            }

            @Override
            public BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) {
                return BatchEndings.answered(List.of(answer));
            }

            @Override
            public String toString() {
                return "own";
            }
        };
        try (RawPeer peer = RawPeer.answering(answer(200, "[1,2]"));
                HttpBatch batch = HttpBatch.over(HttpTarget.of(peer.url("/")), own)) {
            assertThatThrownBy(() -> batch.call(List.of(ONE, TWO)))
                    .isInstanceOfSatisfying(
                            Failed.class, ending -> assertThat(ending.why()).isEqualTo(Failed.Cause.UNDONE))
                    .hasMessage("nothing was sent, because own threw java.lang.StackOverflowError: too deep;"
                            + " correct its call() or fits()");
            assertThat(peer.requests()).isEmpty();
        }
    }

    @Test
    void thePathThatAFormatGivesDoesNotCount() throws Exception {
        JsonBatch array = JsonBatch.array();
        BatchFormat own = new BatchFormat() {
            @Override
            public boolean fits(HttpCall request) {
                return array.fits(request);
            }

            @Override
            public HttpCall call(List<HttpCall> requests) throws Failed {
                return HttpCall.post("/own?x=1", array.call(requests).body());
            }

            @Override
            public BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) throws Unanswered {
                return array.endings(requests, answer);
            }
        };
        try (RawPeer peer = RawPeer.answering(answer(200, "[1, 2]"));
                HttpBatch batch = HttpBatch.over(HttpTarget.of(peer.url("/v1/batch")), own)) {
            assertThat(batch.call(List.of(ONE, TWO)).answer(1).text()).isEqualTo("2");
            assertThat(peer.requests().getFirst()).startsWith("POST /v1/batch HTTP/1.1\r\n");
        }
    }
}
