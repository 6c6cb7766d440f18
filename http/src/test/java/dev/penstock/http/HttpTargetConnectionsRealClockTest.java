package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connections calls go over, on real sockets. */
@Timeout(120)
class HttpTargetConnectionsRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

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
    void keepsNoConnectionThatBroughtMoreThanItsAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK + "HTTP/1.1 299 More\r\nContent-Length: 0\r\n\r\n");
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            assertThat(target.call(CALL).status()).isEqualTo(200);
            assertThat(target.connections()).containsEntry("idle", 0L);
            assertThat(target.call(CALL).status()).isEqualTo(200);
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
            CompletableFuture<HttpAnswer> first = Calls.inThread(CALL, target);
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

    /** In the middle of a head it is no stale connection: the target was there. */
    @Test
    void aConnectionThatEndsWithinAnAnswerWasNotStale() throws Exception {
        for (String part : new String[] {"HTTP/1.1 2", "HTTP/1.1 100 Continue\r\n\r\n"}) {
            try (RawPeer peer = RawPeer.start(talk -> {
                        talk.request();
                        talk.send(OK);
                        talk.request();
                        talk.send(part);
                    });
                    HttpTarget target = HttpTarget.of(peer.url("/"))) {
                target.call(CALL);
                assertThat(catchThrowableOfType(Unknown.class, () -> target.call(CALL))
                                .why())
                        .isEqualTo(Unknown.Cause.CLOSED);
                assertThat(target.connections()).containsEntry("stale_used", 0L);
            }
        }
    }
}
