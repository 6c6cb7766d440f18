package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Rejected;
import dev.penstock.http.pool.ConnectionTotal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that wait because all targets together have as many connections as they may. */
@Timeout(120)
class SharedTotalRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/", "<pay/>".getBytes(StandardCharsets.UTF_8));

    private final CountDownLatch mayAnswer = new CountDownLatch(1);

    private RawPeer peer() throws Exception {
        return RawPeer.start(talk -> {
            while (talk.request() != null) {
                mayAnswer.await();
                talk.send(OK);
            }
        });
    }

    private static HttpTarget target(RawPeer peer, ConnectionTotal total, Duration wait) {
        return HttpTarget.at(peer.url("/"))
                .connectionTotal(total)
                .poolWait(wait)
                .build();
    }

    private static FutureTask<String> calling(HttpTarget target) {
        FutureTask<String> call = new FutureTask<>(() -> target.call(CALL).text());
        Thread.ofVirtual().start(call);
        return call;
    }

    /** A call that has reached its peer, which does not answer yet. */
    private static FutureTask<String> carried(HttpTarget target, RawPeer peer) {
        FutureTask<String> call = calling(target);
        Calls.until(() -> !peer.requests().isEmpty());
        return call;
    }

    /** A call that waits until it may open a connection. */
    private static FutureTask<String> waiting(HttpTarget target, long leased) {
        FutureTask<String> call = calling(target);
        Calls.until(() -> target.connections().getOrDefault("leased", 0L) >= leased);
        return call;
    }

    @Test
    void aCallTakesTheConnectionThatComesBackWhileItWaitsToOpenOne() throws Exception {
        try (RawPeer peer = peer();
                HttpTarget target = target(peer, ConnectionTotal.of(1), Duration.ofMinutes(10))) {
            FutureTask<String> first = carried(target, peer);
            FutureTask<String> second = waiting(target, 2);
            mayAnswer.countDown();
            assertThat(first.get()).isEqualTo("ok");
            assertThat(second.get()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
            assertThat(target.connections()).containsEntry("opened", 1L).containsEntry("leased", 0L);
        }
    }

    @Test
    void aCallOfAnotherTargetTakesItsPlace() throws Exception {
        ConnectionTotal total = ConnectionTotal.of(1);
        try (RawPeer peer = peer();
                RawPeer otherPeer = peer();
                HttpTarget target = target(peer, total, Duration.ofMinutes(10));
                HttpTarget other = target(otherPeer, total, Duration.ofMinutes(10))) {
            FutureTask<String> first = carried(target, peer);
            FutureTask<String> second = waiting(other, 1);
            mayAnswer.countDown();
            assertThat(first.get()).isEqualTo("ok");
            assertThat(second.get()).isEqualTo("ok");
            assertThat(target.connections()).containsEntry("idle", 0L).containsEntry("retired", 1L);
            assertThat(other.connections()).containsEntry("idle", 1L);
        }
    }

    @Test
    void whenNoneComesFreeTheCallWasNotSent() throws Exception {
        try (RawPeer peer = peer();
                HttpTarget target = target(peer, ConnectionTotal.of(1), Duration.ofMillis(20))) {
            FutureTask<String> first = carried(target, peer);
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> target.call(CALL));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(rejected).hasMessageContaining("raise their total");
            mayAnswer.countDown();
            assertThat(first.get()).isEqualTo("ok");
            assertThat(peer.requests()).hasSize(1);
            assertThat(target.connections()).containsEntry("leased", 0L);
        }
    }
}
