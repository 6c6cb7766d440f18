package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For how long connections lie idle, and what is learned of it, on real sockets. */
@Timeout(120)
class HttpTargetIdleRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

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
            ended.await();
            Calls.until(target, "idle", 0);
            assertThat(target.connections()).containsEntry("retired", 1L);
        }
    }

    @Test
    void goesByTheTimeThatTheTargetKeepsConnections() throws Exception {
        JumpingTicker ticker = new JumpingTicker();
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 0\r\n\r\n");
                HttpTarget target = HttpTarget.at(peer.url("/")).build(ticker)) {
            target.call(CALL);
            ticker.jump(Duration.ofMillis(3_500));
            target.call(CALL);
            assertThat(target.connections()).containsEntry("opened", 1L);
            ticker.jump(Duration.ofMillis(4_600));
            target.call(CALL);
            assertThat(target.connections())
                    .containsEntry("opened", 2L)
                    .containsEntry("retired", 1L)
                    .containsEntry("stale_used", 0L);
        }
    }

    @Test
    void usesNoConnectionBeyondItsAge() throws Exception {
        JumpingTicker ticker = new JumpingTicker();
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .maxAge(Duration.ofSeconds(20))
                        .build(ticker)) {
            for (int call = 0; call < 3; call++) {
                target.call(CALL);
                ticker.jump(Duration.ofSeconds(8));
            }
            assertThat(target.connections()).containsEntry("opened", 1L);
            target.call(CALL);
            assertThat(target.connections()).containsEntry("opened", 2L).containsEntry("retired", 1L);
        }
    }

    /** It goes by the time at which it gets a place, not by that at which it began to wait for one. */
    @Test
    void whoWaitedForAPlaceTakesNoConnectionThatGrewTooOldMeanwhile() throws Exception {
        JumpingTicker ticker = new JumpingTicker();
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
                        .poolWait(Duration.ofMinutes(1))
                        .maxAge(Duration.ofSeconds(5))
                        .build(ticker)) {
            CompletableFuture<HttpAnswer> first = Calls.inThread(CALL, target);
            asked.await();
            CompletableFuture<HttpAnswer> second = Calls.inThread(CALL, target);
            Calls.until(target, "pending", 1);
            ticker.jump(Duration.ofSeconds(10));
            answer.countDown();
            assertThat(first.get().status()).isEqualTo(200);
            assertThat(second.get().status()).isEqualTo(200);
            assertThat(target.connections()).containsEntry("opened", 2L).containsEntry("retired", 1L);
        }
    }

    /** Nothing was learned of what is on the way: the target takes longer than this deadline allows. */
    @Test
    void aShortDeadlineIsNoSignOfADeadConnection() throws Exception {
        JumpingTicker ticker = new JumpingTicker();
        CountDownLatch both = new CountDownLatch(2);
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    both.countDown();
                    both.await();
                    ticker.jump(Duration.ofMillis(400));
                    talk.send(OK);
                    talk.request();
                    talk.request();
                });
                HttpTarget target = HttpTarget.at(peer.url("/")).build(ticker)) {
            CompletableFuture<HttpAnswer> one = Calls.inThread(CALL, target);
            target.call(CALL);
            one.get();
            ticker.jump(Duration.ofSeconds(20));
            Unknown early = cutAfter(Duration.ofMillis(100), target);
            assertThat(early.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(target.connections())
                    .containsEntry("idle", 1L)
                    .containsEntry("retired", 0L)
                    .containsEntry("stale_used", 0L);
        }
    }

    @Test
    void longSilenceClosesTheOthersOfThatAge() throws Exception {
        JumpingTicker ticker = new JumpingTicker();
        CountDownLatch both = new CountDownLatch(2);
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    both.countDown();
                    both.await();
                    talk.send(OK);
                    talk.request();
                    ticker.jump(Duration.ofSeconds(2));
                    talk.request();
                });
                HttpTarget target = HttpTarget.at(peer.url("/")).build(ticker)) {
            CompletableFuture<HttpAnswer> one = Calls.inThread(CALL, target);
            target.call(CALL);
            one.get();
            ticker.jump(Duration.ofSeconds(20));
            Unknown silent = cutAfter(Duration.ofMillis(2_300), target);
            assertThat(silent.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("retired", 1L);
        }
    }

    /** By a clock that stands: however long it takes until the request is sent, all of the time is left then. */
    private static Unknown cutAfter(Duration time, HttpTarget target) {
        Deadline deadline = Deadline.in(time, new ManualTicker());
        return catchThrowableOfType(Unknown.class, () -> deadline.call(() -> target.call(CALL)));
    }
}
