package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real sockets and the real clock: how an exchange ends is decided by what the system's sockets do. */
@Timeout(120)
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
        JumpingTicker ticker = new JumpingTicker();
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    talk.send("HTTP/1.1 200 OK\r\nX: ");
                    // Each byte is in time for the one before it; all together are not.
                    while (true) {
                        talk.send("y");
                        ticker.jump(Duration.ofSeconds(20));
                        LockSupport.parkNanos(1_000_000);
                    }
                });
                HttpTarget target = HttpTarget.at(peer.url("/")).build(ticker)) {
            Unknown unknown = catchThrowableOfType(
                    Unknown.class,
                    () -> Deadline.in(Duration.ofMinutes(1), new ManualTicker()).call(() -> target.call(CALL)));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(peer.requests().getFirst()).contains("\r\nPenstock-Deadline-Ms: 60000\r\n");
        }
    }

    @Test
    void noAnswerWithinTheResponseTimeoutIsUnknownAndTellsNoDeadline() throws Exception {
        JumpingTicker ticker = new JumpingTicker();
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    ticker.jump(Duration.ofSeconds(50));
                    // No answer yet; it wakes the pool, which then sees how late it is.
                    talk.send("HTTP/1.1 102 Processing\r\n\r\n");
                    talk.request();
                });
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .responseTimeout(Duration.ofSeconds(50))
                        .build(ticker)) {
            Unknown unknown = catchThrowableOfType(
                    Unknown.class, () -> target.call(CALL.withHeader("Penstock-Deadline-Ms", "7")));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(unknown).hasMessageContaining("50 s");
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
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed).hasMessageContaining("gateway.invalid:80").hasMessageContaining("check");
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("opened", 0L);
        }
    }

    @Test
    void saysWhatToCheckWhenTheConnectionIsRefused() throws Exception {
        try (RefusedPort gone = new RefusedPort();
                HttpTarget target = HttpTarget.of("http://127.0.0.1:" + gone.number() + "/")) {
            Failed failed = catchThrowableOfType(Failed.class, () -> target.call(CALL));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed)
                    .hasMessageContaining("127.0.0.1:" + gone.number())
                    .hasMessageContaining("refused");
        }
    }

    @Test
    void aHandshakeThatFailsOrHangsIsNoConnection() throws Exception {
        try (RawPeer plain = RawPeer.start(talk -> talk.send("HTTP/1.1 400 Bad Request\r\n\r\n"));
                HttpTarget target = HttpTarget.at("https://127.0.0.1:" + plain.port())
                        .connectTimeout(Duration.ofMinutes(10))
                        .build()) {
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
                        .poolWait(Duration.ofMinutes(10))
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

    private static HttpTarget patient(RawPeer silent) {
        return HttpTarget.at("https://127.0.0.1:" + silent.port())
                .connectTimeout(Duration.ofMinutes(10))
                .version(HttpVersion.HTTP_1_1)
                .build();
    }

    @Test
    void aDeadlineThatEndsWhileConnectingIsNotToldAsSent() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer silent = RawPeer.start(talk -> over.await());
                HttpTarget target = patient(silent)) {
            Deadline deadline = Deadline.in(Duration.ofMillis(100), new ManualTicker());
            Rejected late = catchThrowableOfType(Rejected.class, () -> deadline.call(() -> target.call(CALL)));
            assertThat(late.why()).isEqualTo(Rejected.Cause.DEADLINE);
            assertThat(late).hasMessageContaining("deadline, 100 ms away").hasMessageContaining("nothing was sent");
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("idle", 0L);
        } finally {
            over.countDown();
        }
    }

    /** The handshake hangs: neither an interrupt nor closing is told as sent. */
    @Test
    void whateverEndsItWhileConnectingNothingWasSent() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (RawPeer silent = RawPeer.start(talk -> over.await())) {
            HttpTarget target = patient(silent);
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Throwable> thrown = Calls.interruptible(CALL, target, thread);
            Calls.until(() -> silent.connections() == 1);
            thread.get().interrupt();
            assertThat(thrown.get())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL));

            CompletableFuture<HttpAnswer> open = Calls.inThread(CALL, target);
            Calls.until(target, "leased", 1);
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
