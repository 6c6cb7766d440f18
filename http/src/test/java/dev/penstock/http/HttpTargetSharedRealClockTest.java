package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.http.pool.ConnectionTotal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What targets share, and what they tell: connections in total, and where the time went. */
@Timeout(120)
class HttpTargetSharedRealClockTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @Test
    void twoTargetsHaveSoManyConnectionsTogether() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        ConnectionTotal total = ConnectionTotal.of(1);
        try (RawPeer slow = RawPeer.start(talk -> {
                    talk.request();
                    asked.countDown();
                    answer.await();
                    talk.send(OK);
                    talk.request();
                });
                RawPeer quick = RawPeer.answering(OK);
                HttpTarget one =
                        HttpTarget.at(slow.url("/")).connectionTotal(total).build();
                HttpTarget two = HttpTarget.at(quick.url("/"))
                        .connectionTotal(total)
                        .poolWait(Duration.ofMillis(50))
                        .build()) {
            CompletableFuture<HttpAnswer> first = Calls.inThread(CALL, one);
            asked.await();
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> two.call(CALL));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(rejected)
                    .hasMessageContaining("all targets")
                    .hasMessageContaining("raise their total")
                    .hasMessageContaining("127.0.0.1:" + quick.port());
            assertThat(quick.connections()).isZero();

            answer.countDown();
            first.get();
            assertThat(two.call(CALL).status()).isEqualTo(200);
            assertThat(one.connections()).containsEntry("idle", 0L).containsEntry("retired", 1L);
            assertThat(total.open()).isEqualTo(1);
            assertThat(two.settings().toString()).contains("pool.total");
        } finally {
            answer.countDown();
        }
        assertThat(total.open()).isZero();
    }

    @Test
    void whatTheMonitorIsToldAddsUp() throws Exception {
        List<ExchangeTimes> told = new CopyOnWriteArrayList<>();
        RawPeer peer = RawPeer.answering(OK);
        try (peer;
                HttpTarget target =
                        HttpTarget.at(peer.url("/")).monitor(told::add).build()) {
            for (int call = 0; call < 5; call++) {
                target.call(CALL);
            }
            peer.close();
            Calls.until(target, "idle", 0);
            assertThat(catchThrowableOfType(Failed.class, () -> target.call(CALL))
                            .why())
                    .isEqualTo(Failed.Cause.CONNECT);
            assertThat(told)
                    .hasSize(6)
                    .allSatisfy(times -> assertThat(times.total())
                            .isEqualTo(times.waiting()
                                    + times.connecting()
                                    + times.securing()
                                    + times.sending()
                                    + times.answering()
                                    + times.receiving()
                                    + times.inside()));
            assertThat(told).extracting(ExchangeTimes::answered).containsExactly(true, true, true, true, true, false);
            assertThat(told.getFirst().connecting()).isPositive();
            assertThat(told.get(1).connecting()).isZero();
            assertThat(told.getLast().connecting()).isPositive();
            assertThat(target.times())
                    .containsEntry("count", 6L)
                    .containsEntry("answering", sum(told, ExchangeTimes::answering))
                    .containsEntry("connecting", sum(told, ExchangeTimes::connecting))
                    .containsEntry("inside", sum(told, ExchangeTimes::inside));
        }
    }

    private static long sum(List<ExchangeTimes> told, ToLongFunction<ExchangeTimes> part) {
        return told.stream().mapToLong(part).sum();
    }

    @Test
    void aMonitorThatThrowsLosesNoAnswer() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.at(peer.url("/"))
                        .monitor(_ -> {
                            throw new IllegalStateException("not in the mood");
                        })
                        .build()) {
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(target.connections()).containsEntry("opened", 1L);
        }
    }

    @Test
    void settingsThatAreFoundTellWhatTheyAreAndWhy() throws Exception {
        try (RawPeer peer = RawPeer.answering(OK);
                HttpTarget target = HttpTarget.of(peer.url("/"))) {
            target.call(CALL);
            assertThat(target.settings().toString())
                    .contains("name=pool.max, value=64", "the need is measured")
                    .contains("name=pool.response_timeout, value=60 s", "1 so far")
                    .contains("name=pool.idle, value=60 s", "no drops of idle connections observed");
        }
    }
}
