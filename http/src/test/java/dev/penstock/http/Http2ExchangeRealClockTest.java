package dev.penstock.http;

import static dev.penstock.http.Http2Kit.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Deadline;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.http.header.Header;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http2.H2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls go over HTTP/2, on real sockets and the real clock, against a peer that sends what frames it likes. */
@Timeout(120)
class Http2ExchangeRealClockTest {
    @Test
    void sendsTheCallAsItIsAndNothingOfTheLibrarysOwn() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.answer(
                            talk.request().stream(),
                            "gone",
                            "x-why",
                            "n\u00e9ant",
                            "content-length",
                            "4",
                            "proxy-status",
                            "x");
                });
                Http2Exchange exchange = exchange(peer)) {
            HttpCall call = CALL.withHeader("Idempotency-Key", "k-1").withHeader("X-Latin", "\u00e9");
            HttpAnswer answer = exchange.send(call, Deadline.in(Duration.ofSeconds(90), new ManualTicker()));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("gone");
            assertThat(answer.headers()).containsExactly(new Header("x-why", "n\u00e9ant"));
            FramePeer.Request seen = peer.requests().getFirst();
            assertThat(seen.body()).isEqualTo("<pay/>");
            assertThat(seen.fields().remove("penstock-deadline-ms")).isEqualTo("90000");
            assertThat(seen.fields())
                    .isEqualTo(Map.of(
                            ":method", "POST",
                            ":scheme", "https",
                            ":authority", peer.address().hostAndPort(),
                            ":path", "/v1/tx?m=1",
                            "idempotency-key", "k-1",
                            "x-latin", "\u00e9",
                            "content-length", "6"));
        }
    }

    @Test
    void carriesManyCallsOverOneConnectionAndCountsIt() throws Exception {
        try (FramePeer peer = FramePeer.plain(ANSWERING);
                Http2Exchange exchange = exchange(peer)) {
            for (int call = 0; call < 5; call++) {
                assertThat(exchange.send(HttpCall.get("/"), null).text()).isEqualTo("ok");
            }
            assertThat(peer.connections()).isEqualTo(1);
            assertThat(peer.requests().getLast().fields()).doesNotContainKeys("content-length", "penstock-deadline-ms");
            await(exchange, "idle", 1);
            assertThat(exchange.connections())
                    .containsEntry("opened", 1L)
                    .containsEntry("leased", 0L)
                    .containsEntry("streams", 0L)
                    .containsEntry("pending", 0L)
                    .containsEntry("stale_used", 0L);
        }
    }

    @Test
    void aBodyLargerThanTheWindowsArrivesWhole() throws Exception {
        String large = "0123456789".repeat(20_000);
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    FramePeer.Request next = talk.request();
                    talk.head(next.stream(), false);
                    for (int part = 0; part < large.length(); part += 10_000) {
                        talk.data(next.stream(), large.substring(part, part + 10_000), false);
                    }
                    talk.data(next.stream(), "", true);
                });
                Http2Exchange exchange = exchange(peer)) {
            assertThat(exchange.send(HttpCall.get("/"), null).text()).isEqualTo(large);
        }
    }

    @Test
    void opensMoreConnectionsWhereThePeerAllowsFewStreamsOnEach() throws Exception {
        CountDownLatch all = new CountDownLatch(25);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(10);
                    List<Integer> held = new ArrayList<>();
                    Thread.ofVirtual().start(() -> {
                        try {
                            all.await();
                            for (int stream : List.copyOf(held)) {
                                talk.answer(stream, "ok");
                            }
                        } catch (Exception e) {
                            // The test is over.
                        }
                    });
                    while (true) {
                        FramePeer.Request next = talk.request();
                        held.add(next.stream());
                        all.countDown();
                    }
                });
                Http2Exchange exchange = exchange(peer)) {
            List<CompletableFuture<HttpAnswer>> calls = new ArrayList<>();
            for (int call = 0; call < 25; call++) {
                calls.add(inThread(exchange));
            }
            for (CompletableFuture<HttpAnswer> call : calls) {
                assertThat(call.get().text()).isEqualTo("ok");
            }
            assertThat(peer.connections()).isEqualTo(3);
        }
    }

    @Test
    void rejectsWhenAsManyAreOutAsThereMayBeAndServesAgainAfterwards() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    while (true) {
                        FramePeer.Request next = talk.request();
                        asked.countDown();
                        answer.await();
                        talk.answer(next.stream(), "ok");
                    }
                });
                Http2Exchange exchange = exchange(peer, pool(1, Duration.ofMillis(50)))) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            asked.await();
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> exchange.send(CALL, null));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(rejected).hasMessageContaining("1 of 1 are in use").hasMessageContaining("pool.max");
            answer.countDown();
            assertThat(first.get().status()).isEqualTo(200);
            assertThat(exchange.send(CALL, null).status()).isEqualTo(200);
            assertThat(exchange.connections()).containsEntry("pending", 0L).containsEntry("opened", 1L);
        }
    }

    @Test
    void noAnswerInTimeIsUnknownAndTheConnectionTakesNoMore() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    while (true) {
                        FramePeer.Request next = talk.request();
                        if (next.body().equals("slow")) {
                            talk.awaitEnd();
                            ended.countDown();
                        }
                        talk.answer(next.stream(), "ok");
                    }
                });
                Http2Exchange exchange = exchange(peer)) {
            exchange.send(CALL, null);
            long from = System.nanoTime();
            Unknown unknown = catchThrowableOfType(
                    Unknown.class, () -> exchange.send(HttpCall.post("/", "slow"), onceSent(Duration.ofMillis(300))));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(Duration.ofMillis(290));
            assertThat(peer.requests().getLast().fields().get("penstock-deadline-ms"))
                    .isEqualTo("300");
            ended.await();
            assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void theResponseTimeoutBoundsATricklingAnswer() throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    int stream = talk.request().stream();
                    talk.head(stream, false);
                    while (true) {
                        talk.data(stream, "x", false);
                        LockSupport.parkNanos(10_000_000);
                    }
                });
                Http2Exchange exchange = exchange(peer, times(LONG, LONG, Duration.ofMillis(300)))) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
        }
    }

    @Test
    void whenTheTimeOfATricklingAnswerIsUpOthersOnTheConnectionGoOn() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    int first = talk.request().stream();
                    int second = talk.request().stream();
                    talk.head(first, false);
                    while (answer.getCount() > 0) {
                        talk.data(first, "x", false);
                        LockSupport.parkNanos(10_000_000);
                    }
                    talk.answer(second, "ok");
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            CompletableFuture<HttpAnswer> first = inThread(exchange, onceSent(Duration.ofMillis(300)));
            awaitRequests(peer, 1);
            CompletableFuture<HttpAnswer> second = inThread(exchange);
            assertThat(thrown(first))
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT));
            answer.countDown();
            assertThat(second.get().text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void doesNotUseAConnectionThatThePeerEnded() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.answer(talk.request().stream(), "ok");
                    talk.close();
                });
                Http2Exchange exchange = exchange(peer)) {
            for (int call = 1; call <= 5; call++) {
                assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
                awaitNoConnection(exchange);
            }
            assertThat(exchange.connections()).containsEntry("opened", 5L).containsEntry("stale_used", 0L);
            assertThat(peer.requests()).hasSize(5);
        }
    }

    @Test
    void anInterruptEndsACallAtOnce() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    talk.request();
                    asked.countDown();
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer, pool(1, LONG))) {
            CompletableFuture<Thread> flying = new CompletableFuture<>();
            CompletableFuture<Throwable> inFlight = interruptible(exchange, flying);
            asked.await();
            CompletableFuture<Thread> waitingThread = new CompletableFuture<>();
            CompletableFuture<Throwable> waiting = interruptible(exchange, waitingThread);
            await(exchange, "pending", 1);
            waitingThread.get().interrupt();
            assertThat(waiting.get())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL));
            flying.get().interrupt();
            assertThat(inFlight.get())
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.INTERRUPTED));
            await(exchange, "leased", 0);
        }
    }

    @Test
    void closingEndsWhatIsInFlightAndWhoWaitsAndLeavesNoThread() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (FramePeer peer = secure(talk -> {
            talk.open(100);
            talk.request();
            asked.countDown();
            talk.request();
        })) {
            Http2Exchange exchange = exchange(peer, pool(1, Duration.ofMinutes(5)));
            CompletableFuture<HttpAnswer> inFlight = inThread(exchange);
            asked.await();
            CompletableFuture<HttpAnswer> waiting = inThread(exchange);
            await(exchange, "pending", 1);
            assertThat(threads()).isNotEmpty();
            exchange.close();
            exchange.close();
            assertThat(thrown(inFlight))
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED));
            assertThat(thrown(waiting))
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING));
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> exchange.send(CALL, null));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING);
            awaitNoThread();
            assertThat(peer.requests()).hasSize(1);
        }
    }

    @Test
    void closesAConnectionThatLiesIdleAndThenHasNoThread() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.answer(talk.request().stream(), "ok");
                    talk.awaitEnd();
                    ended.countDown();
                });
                Http2Exchange exchange = exchange(peer, times(Duration.ofMillis(50), LONG, LONG))) {
            exchange.send(CALL, null);
            ended.await();
            awaitNoConnection(exchange);
            awaitNoThread();
            assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
        }
    }

    @Test
    void usesNoConnectionOfOtherKeysAndCertificatesOrThatIsTooOld() throws Exception {
        AtomicReference<SSLContext> current = new AtomicReference<>(TLS);
        try (FramePeer peer = secure(ANSWERING);
                Http2Exchange exchange =
                        new Http2Exchange(peer.address(), limits(), current::get, new ExchangeMonitor("", null))) {
            exchange.send(CALL, null);
            exchange.send(CALL, null);
            assertThat(peer.connections()).isEqualTo(1);
            current.set(SelfSigned.context());
            exchange.send(CALL, null);
            exchange.send(CALL, null);
            assertThat(peer.connections()).isEqualTo(2);
            assertThat(exchange.connections()).containsEntry("retired", 1L);
        }
        try (FramePeer peer = FramePeer.plain(ANSWERING);
                Http2Exchange exchange = exchange(peer, maxAge(Duration.ofNanos(1)))) {
            exchange.send(CALL, null);
            exchange.send(CALL, null);
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void tellsWhereTheTimeWent() throws Exception {
        List<ExchangeTimes> seen = new ArrayList<>();
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.answer(talk.request().stream(), "ok");
                    int stream = talk.request().stream();
                    LockSupport.parkNanos(50_000_000);
                    talk.head(stream, false);
                    LockSupport.parkNanos(50_000_000);
                    talk.data(stream, "ok", true);
                    talk.request();
                });
                Http2Exchange exchange =
                        new Http2Exchange(peer.address(), limits(), () -> TLS, new ExchangeMonitor("", seen::add))) {
            exchange.send(CALL, null);
            exchange.send(CALL, null);
            ExchangeTimes first = seen.get(0);
            assertThat(first.answered()).isTrue();
            assertThat(first.connecting()).isPositive();
            assertThat(first.securing()).isPositive();
            ExchangeTimes second = seen.get(1);
            assertThat(second.connecting()).isZero();
            assertThat(second.securing()).isZero();
            assertThat(second.answering()).isPositive();
            assertThat(second.receiving()).isPositive();
            // Which part is how long depends on when this side comes to see what happens: together they are as long at
            // least.
            assertThat(second.sending() + second.answering() + second.receiving())
                    .isGreaterThanOrEqualTo(100_000_000);
            for (ExchangeTimes times : seen) {
                long sum = times.waiting() + times.connecting() + times.securing() + times.sending();
                sum += times.answering() + times.receiving() + times.inside();
                assertThat(sum).isEqualTo(times.total());
            }
            assertThat(catchThrowableOfType(
                            Rejected.class, () -> exchange.send(CALL, Deadline.in(Duration.ofMillis(-1)))))
                    .isNotNull();
            assertThat(seen.get(2).answered()).isFalse();
        }
    }

    @Test
    void whatNobodyGaveIsFoundAndTold() {
        TargetLimits automatic =
                new TargetLimits(null, Duration.ofSeconds(1), null, null, Duration.ofSeconds(1), null, 9);
        Address address = Address.of("http://gateway.example/");
        try (Http2Exchange exchange = exchange(address, automatic, TLS)) {
            assertThat(exchange.settings())
                    .extracting(ExchangeSetting::name, ExchangeSetting::value)
                    .containsExactly(
                            tuple("pool.max", "10000"),
                            tuple("pool.idle", "60 s"),
                            tuple("pool.response_timeout", "60 s"));
        }
        try (Http2Exchange exchange = exchange(address, limits(), TLS)) {
            assertThat(exchange.settings()).isEmpty();
        }
    }

    @Test
    void sendsNothingWhenTheTimeIsUp() throws Exception {
        try (FramePeer peer = FramePeer.plain(ANSWERING);
                Http2Exchange exchange = exchange(peer)) {
            Rejected rejected =
                    catchThrowableOfType(Rejected.class, () -> exchange.send(CALL, Deadline.in(Duration.ofMillis(-1))));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DEADLINE);
            assertThat(peer.connections()).isZero();
        }
    }

    @Test
    void callersThatComeAndGoSendEachRequestOnceAndLeaveNothingBehind() throws Exception {
        Queue<String> processed = new ConcurrentLinkedQueue<>();
        try (FramePeer peer = secure(talk -> {
                    talk.open(7);
                    while (true) {
                        FramePeer.Request next = talk.request();
                        if (next.stream() % 5 == 0) {
                            talk.reset(next.stream(), H2Error.REFUSED_STREAM);
                        } else if (next.stream() <= 41) {
                            if (next.stream() == 41) {
                                talk.goAway(next.stream(), H2Error.NO_ERROR);
                            }
                            processed.add(next.body());
                            talk.answer(next.stream(), "ok");
                        }
                    }
                });
                Http2Exchange exchange = exchange(peer, pool(40, LONG))) {
            Set<String> endings = ConcurrentHashMap.newKeySet();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < 50; caller++) {
                String name = "caller " + caller;
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int call = 0; call < 40; call++) {
                                try {
                                    endings.add(exchange.send(
                                                    HttpCall.post("/", name + ", call " + call), Deadline.in(LONG))
                                            .text());
                                } catch (Unanswered ending) {
                                    endings.add(ending.ending() + " " + ending.why());
                                }
                            }
                        },
                        task -> Thread.ofVirtual().start(task)));
            }
            callers.forEach(CompletableFuture::join);
            assertThat(endings).contains("ok").isSubsetOf("ok", "failed CONNECT");
            await(exchange, "leased", 0);
            assertThat(processed).doesNotHaveDuplicates();
            assertThat(exchange.connections()).containsEntry("streams", 0L).containsEntry("pending", 0L);
        }
    }

    /** As nginx does with keepalive_requests. */
    @Test
    void allAreAnsweredByAPeerThatProcessesAFewCallsOnEachConnection() throws Exception {
        Queue<String> processed = new ConcurrentLinkedQueue<>();
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    for (int calls = 1; calls <= 20; calls++) {
                        FramePeer.Request next = talk.request();
                        if (calls == 20) {
                            talk.goAway(next.stream(), H2Error.NO_ERROR);
                        }
                        processed.add(next.body());
                        talk.answer(next.stream(), "ok");
                    }
                    talk.awaitEnd();
                });
                Http2Exchange exchange = exchange(peer)) {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            Queue<Exception> endings = new ConcurrentLinkedQueue<>();
            for (int caller = 0; caller < 60; caller++) {
                String name = "caller " + caller;
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int call = 0; call < 20; call++) {
                                try {
                                    HttpAnswer _ = exchange.send(HttpCall.post("/", name + ", call " + call), null);
                                } catch (Unanswered ending) {
                                    endings.add(ending);
                                }
                            }
                        },
                        task -> Thread.ofVirtual().start(task)));
            }
            callers.forEach(CompletableFuture::join);
            assertThat(endings).isEmpty();
            assertThat(processed).hasSize(1_200).doesNotHaveDuplicates();
        }
    }
}
