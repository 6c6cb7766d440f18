package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real sockets and the real clock: how an exchange ends is decided by what the system's sockets do. */
@Timeout(20)
class HttpTargetRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @Test
    void sendsTheCallAsItIsToTheUrlAndReturnsTheAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 404 No\r\nX-Why: none\r\nContent-Length: 4\r\n\r\ngone");
                HttpTarget target = HttpTarget.at(peer.url("/v1/tx"))
                        .header("Authorization", "Bearer b")
                        .build()) {
            HttpAnswer answer = target.call(HttpCall.post("/v1/payments?m=1", "<pay/>")
                    .withHeader("Idempotency-Key", "k-1")
                    .withHeader("authorization", "Bearer a"));
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).isEqualTo("gone");
            assertThat(answer.headers().first("x-why")).isEqualTo("none");
            assertThat(peer.requests())
                    .containsExactly("POST /v1/tx?m=1 HTTP/1.1\r\nHost: 127.0.0.1:" + peer.port()
                            + "\r\nIdempotency-Key: k-1\r\nAuthorization: Bearer b\r\nContent-Length: 6\r\n\r\n<pay/>");
        }
    }

    @Test
    void putsWhatFollowsTheSourcePathBehindTheUrl() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at(peer.url("/v1/tx?fixed=1"))
                        .sourcePath("/v1/payments")
                        .build()) {
            target.call(HttpCall.get("/v1/payments/123?a=b"));
            target.call(HttpCall.get("/v1/payments"));
            assertThat(peer.requests().get(0)).startsWith("GET /v1/tx/123?fixed=1 HTTP/1.1\r\n");
            assertThat(peer.requests().get(1))
                    .startsWith("GET /v1/tx?fixed=1 HTTP/1.1\r\n")
                    .doesNotContain("Content-Length");
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(HttpCall.get("/v1/paymentsX")));
            assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED);
        }
    }

    @Test
    void dropsTheFieldsOfOneConnectionBothWays() throws Exception {
        try (RawPeer peer = RawPeer.answering(String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "Connection: X-Inner, keep-alive",
                        "X-Inner: 1",
                        "Keep-Alive: timeout=9",
                        "Proxy-Authenticate: x",
                        "Transfer-Encoding: chunked",
                        "X-Kept: 1",
                        "",
                        "2",
                        "ok",
                        "0",
                        "",
                        ""));
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            HttpCall call = CALL.withHeader("Connection", "X-Secret , close")
                    .withHeader("X-Secret", "1")
                    .withHeader("TE", "trailers")
                    .withHeader("Upgrade", "h2c")
                    .withHeader("Proxy-Authorization", "x")
                    .withHeader("Expect", "100-continue")
                    .withHeader("X-Kept", "1");
            HttpAnswer answer = target.call(call);
            assertThat(answer.headers()).containsExactly(new Header("X-Kept", "1"));
            assertThat(answer.text()).isEqualTo("ok");
            assertThat(peer.requests().getFirst())
                    .contains("X-Kept: 1")
                    .doesNotContainIgnoringCase("secret")
                    .doesNotContain("TE:", "Upgrade", "Proxy", "Expect", "Connection");
        }
    }

    @Test
    void usesAConnectionAgainAndCountsEachThatItOpens() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            target.call(CALL);
            assertThat(peer.connections()).isEqualTo(1);
            assertThat(target.connections())
                    .containsEntry("opened", 1L)
                    .containsEntry("idle", 1L)
                    .containsEntry("leased", 0L)
                    .containsEntry("stale_used", 0L);
        }
    }

    @Test
    void doesNotUseAConnectionThatThePeerEnded() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send(OK);
                    talk.request();
                    talk.send(OK);
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            peer.talk(0).fin();
            target.call(CALL);
            peer.talk(1).rst();
            target.call(CALL);
            assertThat(target.connections()).containsEntry("opened", 3L).containsEntry("stale_used", 0L);
            assertThat(peer.requests()).hasSize(3);
        }
    }

    @Test
    void countsAConnectionThatEndsBeforeItsAnswerBegins() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send(OK);
                    talk.request();
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
            assertThat(target.connections()).containsEntry("opened", 1L).containsEntry("stale_used", 1L);
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void takesNothingForAnAnswerThatNoRequestAskedFor() throws Exception {
        CountDownLatch more = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    while (talk.request() != null) {
                        talk.send(OK);
                        if (sent.getCount() > 0) {
                            more.await();
                            talk.send("HTTP/1.1 408 Idle\r\nContent-Length: 0\r\n\r\n");
                            sent.countDown();
                        }
                    }
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            more.countDown();
            sent.await();
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(peer.requests()).hasSize(2);
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void keepsNoConnectionThatBroughtMoreThanItsAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK + "HTTP/1.1 299 More\r\nContent-Length: 0\r\n\r\n");
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .validateAfter(Duration.ofMinutes(1))
                        .build()) {
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(target.connections()).containsEntry("idle", 0L);
            assertThat(target.call(CALL).status()).isEqualTo(200);
        }
    }

    @Test
    void keepsNoConnectionForATimeOfZero() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n");
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            assertThat(target.connections()).containsEntry("idle", 0L);
        }
    }

    @Test
    void closesAConnectionThatLiesIdle() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send(OK);
                    if (talk.request() == null) {
                        ended.countDown();
                    }
                });
                HttpTarget target =
                        HttpTarget.at(peer.url("/")).idle(Duration.ofMillis(50)).build()) {
            target.call(CALL);
            assertThat(ended.await(3, TimeUnit.SECONDS)).isTrue();
            while (target.connections().getOrDefault("idle", 0L) > 0) {
                Thread.onSpinWait();
            }
            assertThat(target.connections()).containsEntry("retired", 1L);
        }
    }

    @Test
    void aCutAfterTheRequestWasReadIsUnknownAndSentOnce() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send(OK);
                    talk.request();
                    talk.rst();
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            Unknown reused = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
            assertThat(reused.why()).isEqualTo(Unknown.Cause.CLOSED);
            assertThat(peer.requests()).hasSize(2);
            assertThat(target.connections()).containsEntry("stale_used", 1L).containsEntry("leased", 0L);
        }
    }

    @Test
    void anEndInTheMiddleOfAnAnswerIsUnknown() throws Exception {
        for (String half : new String[] {
            "",
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf"
        }) {
            try (RawPeer peer = RawPeer.start(talk -> {
                        talk.request();
                        talk.send(half);
                    });
                    HttpTarget target = HttpTarget.of(peer.url("/"))) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
                assertThat(unknown.why()).as(half).isEqualTo(Unknown.Cause.CLOSED);
                assertThat(unknown).hasMessageNotContaining("\n").hasMessageContaining("127.0.0.1:" + peer.port());
                assertThat(peer.requests()).hasSize(1);
            }
        }
    }

    @Test
    void anAnswerThatCannotBeReadIsUnknown() throws Exception {
        for (String garbage : new String[] {
            "\u0001\u0002garbage\r\n\r\n",
            "HTTP/1.1 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"
        }) {
            try (RawPeer peer = RawPeer.answering(garbage);
                    HttpTarget target = HttpTarget.of(peer.url("/"))) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> target.call(CALL));
                assertThat(unknown.why()).as(garbage).isEqualTo(Unknown.Cause.GARBLED);
                assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
            }
        }
    }

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

    @Test
    void aTricklingAnswerDoesNotOutliveTheDeadline() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    for (char c : ("HTTP/1.1 200 OK\r\nX: " + "y".repeat(1000)).toCharArray()) {
                        talk.send(String.valueOf(c));
                        java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
                    }
                });
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            long from = System.nanoTime();
            Unknown unknown = catchThrowableOfType(
                    Unknown.class, () -> Deadline.in(Duration.ofMillis(300)).call(() -> target.call(CALL)));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - from))
                    .isBetween(Duration.ofMillis(290), Duration.ofMillis(900));
            assertThat(peer.requests().getFirst()).containsPattern("\r\nPenstock-Deadline-Ms: (2\\d\\d|300)\r\n");
        }
    }

    @Test
    void noAnswerWithinTheResponseTimeoutIsUnknownAndTellsNoDeadline() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.request();
                });
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .responseTimeout(Duration.ofMillis(50))
                        .build()) {
            Unknown unknown = catchThrowableOfType(
                    Unknown.class, () -> target.call(CALL.withHeader("Penstock-Deadline-Ms", "7")));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(unknown).hasMessageContaining("50 ms");
            assertThat(peer.requests().getFirst()).doesNotContain("Penstock-Deadline-Ms");
        }
    }

    @Test
    void sendsNothingWhenTheTimeIsUp() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            Rejected rejected = catchThrowableOfType(
                    Rejected.class, () -> Deadline.in(Duration.ofMillis(-1)).call(() -> target.call(CALL)));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DEADLINE);
            assertThat(peer.connections()).isZero();
        }
    }

    @Test
    void saysWhatToCheckWhenThereIsNoSuchHost() {
        try (HttpTarget target = HttpTarget.of("http://gateway.invalid/v1")) {
            long from = System.nanoTime();
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed).hasMessageContaining("gateway.invalid:80").hasMessageContaining("check");
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(Duration.ofMillis(2_500));
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("opened", 0L);
        }
    }

    @Test
    void saysWhatToCheckWhenTheConnectionIsRefused() throws Exception {
        RawPeer peer = RawPeer.answering(OK);
        peer.close();
        try (HttpTarget target = HttpTarget.of(peer.url("/"))) {
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed).hasMessageContaining("127.0.0.1:" + peer.port()).hasMessageContaining("refused");
        }
    }

    @Test
    void aHandshakeThatFailsOrHangsIsNoConnection() throws Exception {
        try (RawPeer plain = RawPeer.start(talk -> talk.send("HTTP/1.1 400 Bad Request\r\n\r\n"));
                HttpTarget target = HttpTarget.of("https://127.0.0.1:" + plain.port())) {
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed).hasMessageContaining("TLS");
        }
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer silent = RawPeer.start(talk -> over.await());
                HttpTarget target = HttpTarget.at("https://127.0.0.1:" + silent.port())
                        .connectTimeout(Duration.ofMillis(100))
                        .build()) {
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed).hasMessageContaining("100 ms");
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("opened", 0L);
        } finally {
            over.countDown();
        }
    }

    @Test
    void rejectsWhenNoConnectionComesFreeAndServesAgainAfterwards() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    while (talk.request() != null) {
                        asked.countDown();
                        answer.await();
                        talk.send(OK);
                    }
                });
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .poolMax(1)
                        .poolWait(Duration.ofMillis(50))
                        .build()) {
            CompletableFuture<HttpAnswer> first = inThread(target);
            asked.await();
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> target.call(CALL));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(rejected).hasMessageContaining("all 1 are in use").hasMessageContaining("pool.max");
            answer.countDown();
            assertThat(first.get().status()).isEqualTo(200);
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(target.connections())
                    .containsEntry("leased", 0L)
                    .containsEntry("pending", 0L)
                    .containsEntry("opened", 1L);
        }
    }

    @Test
    void aBusyPoolIsNotTakenForAClosedOne() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .poolMax(2)
                        .poolWait(Duration.ofMillis(1))
                        .build()) {
            Set<Enum<?>> causes = ConcurrentHashMap.newKeySet();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < 8; caller++) {
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int call = 0; call < 1_000; call++) {
                                try {
                                    target.call(CALL);
                                } catch (Unanswered ending) {
                                    causes.add(ending.why());
                                }
                            }
                        },
                        task -> Thread.ofVirtual().start(task)));
            }
            callers.forEach(CompletableFuture::join);
            assertThat(causes).containsExactly(Rejected.Cause.POOL);
            assertThat(target.connections()).containsEntry("leased", 0L);
        }
    }

    @Test
    void anInterruptInFlightIsUnknownAndBeforeItIsARejection() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    asked.countDown();
                    over.await();
                });
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .poolMax(1)
                        .poolWait(Duration.ofSeconds(5))
                        .build()) {
            CompletableFuture<Thread> flying = new CompletableFuture<>();
            CompletableFuture<Throwable> inFlight = interruptible(target, flying);
            asked.await();
            CompletableFuture<Thread> waitingThread = new CompletableFuture<>();
            CompletableFuture<Throwable> waiting = interruptible(target, waitingThread);
            while (target.connections().getOrDefault("pending", 0L) == 0) {
                Thread.onSpinWait();
            }
            waitingThread.get().interrupt();
            assertThat(waiting.get())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL));
            flying.get().interrupt();
            assertThat(inFlight.get())
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.INTERRUPTED));
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("pending", 0L);
        } finally {
            over.countDown();
        }
    }

    @Test
    void closingEndsWhatIsInFlightAsUnknownAndSendsNothingMore() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
            talk.request();
            asked.countDown();
            talk.request();
        })) {
            HttpTarget target = HttpTarget.of(peer.url("/"));
            CompletableFuture<Throwable> inFlight = interruptible(target, new CompletableFuture<>());
            asked.await();
            target.close();
            target.close();
            assertThat(inFlight.get())
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED));
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> target.call(CALL));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING);
            assertThat(peer.requests()).hasSize(1);
        }
    }

    @Test
    void closingRejectsThoseWhoWaitForAConnection() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
            talk.request();
            asked.countDown();
            talk.request();
        })) {
            HttpTarget target = HttpTarget.at(peer.url("/"))
                    .poolMax(1)
                    .poolWait(Duration.ofMinutes(5))
                    .build();
            CompletableFuture<HttpAnswer> inFlight = inThread(target);
            asked.await();
            CompletableFuture<HttpAnswer> waiting = inThread(target);
            while (target.connections().getOrDefault("pending", 0L) == 0) {
                Thread.onSpinWait();
            }
            target.close();
            assertThat(waiting.handle((_, e) -> e).get()).isInstanceOf(Rejected.class);
            assertThat(inFlight.handle((_, e) -> e).get()).isInstanceOf(Unknown.class);
        }
    }

    private static CompletableFuture<HttpAnswer> inThread(HttpTarget target) {
        CompletableFuture<HttpAnswer> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(target.call(CALL));
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** What a call throws on a thread of its own, once that thread has been seen to be still interrupted if it was. */
    private static CompletableFuture<Throwable> interruptible(HttpTarget target, CompletableFuture<Thread> thread) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            thread.complete(Thread.currentThread());
            try {
                target.call(CALL);
                thrown.complete(new AssertionError("answered"));
            } catch (Unknown e) {
                boolean flagMatches = (e.why() == Unknown.Cause.INTERRUPTED)
                        == Thread.currentThread().isInterrupted();
                thrown.complete(flagMatches ? e : new AssertionError("the interrupt was lost"));
            } catch (Exception e) {
                thrown.complete(
                        Thread.currentThread().isInterrupted() ? e : new AssertionError("the interrupt was lost"));
            }
        });
        return thrown;
    }
}
