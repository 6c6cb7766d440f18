package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real sockets and the real clock: how an exchange ends is decided by what the system's sockets do. */
@Timeout(20)
class HttpTargetEndingsRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

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
            CompletableFuture<Throwable> inFlight = Calls.interruptible(CALL, target, flying);
            asked.await();
            CompletableFuture<Thread> waitingThread = new CompletableFuture<>();
            CompletableFuture<Throwable> waiting = Calls.interruptible(CALL, target, waitingThread);
            Calls.until(target, "pending", 1);
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

    /** The handshake hangs: neither a deadline, nor an interrupt, nor closing is told as sent. */
    @Test
    void whateverEndsItWhileConnectingNothingWasSent() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer silent = RawPeer.start(talk -> over.await())) {
            HttpTarget target = HttpTarget.at("https://127.0.0.1:" + silent.port())
                    .connectTimeout(Duration.ofSeconds(10))
                    .version(HttpVersion.HTTP_1_1)
                    .build();
            Failed late = catchThrowableOfType(
                    Failed.class, () -> Deadline.in(Duration.ofMillis(100)).call(() -> target.call(CALL)));
            assertThat(late.why()).isEqualTo(Failed.Cause.CONNECT);

            int before = silent.connections();
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Throwable> thrown = Calls.interruptible(CALL, target, thread);
            Calls.until(() -> silent.connections() == before + 1);
            thread.get().interrupt();
            assertThat(thrown.get())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL));

            CompletableFuture<HttpAnswer> open = Calls.inThread(CALL, target);
            Calls.until(() -> silent.connections() == before + 2);
            target.close();
            assertThat(open.handle((_, e) -> e).get())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING));
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("idle", 0L);
        } finally {
            over.countDown();
        }
    }

    @Test
    void anInterruptedThreadSendsNothingThoughAConnectionIsAtHand() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            Thread.currentThread().interrupt();
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> target.call(CALL));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(peer.requests()).hasSize(2);
            assertThat(peer.connections()).isEqualTo(1);
        }
    }
}
