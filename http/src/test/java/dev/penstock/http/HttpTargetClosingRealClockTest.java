package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What closing does to calls and threads. */
@Timeout(120)
class HttpTargetClosingRealClockTest {
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @Test
    void closingEndsWhatIsInFlightAsUnknownAndSendsNothingMore() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
            talk.request();
            asked.countDown();
            talk.request();
        })) {
            HttpTarget target = HttpTarget.of(peer.url("/"));
            CompletableFuture<Throwable> inFlight = Calls.interruptible(CALL, target, new CompletableFuture<>());
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
            CompletableFuture<HttpAnswer> inFlight = Calls.inThread(CALL, target);
            asked.await();
            CompletableFuture<HttpAnswer> waiting = Calls.inThread(CALL, target);
            Calls.until(target, "pending", 1);
            target.close();
            assertThat(waiting.handle((_, e) -> e).get()).isInstanceOf(Rejected.class);
            assertThat(inFlight.handle((_, e) -> e).get()).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void noThreadIsLeft() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) {
            HttpTarget target = HttpTarget.of(peer.url("/"));
            target.call(CALL);
            assertThat(threadsOf(peer)).hasSize(1);
            target.close();
            // Closing waits for it only for a moment.
            Calls.until(() -> threadsOf(peer).isEmpty());
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("leased", 0L);
        }
    }

    private static List<String> threadsOf(RawPeer peer) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock") && name.endsWith(":" + peer.port()))
                .toList();
    }
}
