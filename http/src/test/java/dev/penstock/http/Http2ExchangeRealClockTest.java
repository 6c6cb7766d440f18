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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http2.H2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On real sockets and the real clock, against a peer that sends what frames it likes. */
@Timeout(20)
class Http2ExchangeRealClockTest {
    private static final HttpCall CALL = HttpCall.post("/v1/tx?m=1", "<pay/>");

    private static final SSLContext TLS = SelfSigned.context();

    private static final List<String> BOTH = List.of("h2", "http/1.1");

    private static final FramePeer.Script ANSWERING = talk -> {
        talk.open(100);
        while (true) {
            FramePeer.Request next = talk.request();
            talk.answer(next.stream(), "ok");
        }
    };

    private static TargetLimits limits(int poolMax) {
        return new TargetLimits(
                poolMax,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ZERO,
                1 << 20);
    }

    private static Http2Exchange exchange(FramePeer peer) {
        return exchange(peer, limits(1_000));
    }

    private static Http2Exchange exchange(FramePeer peer, TargetLimits limits) {
        return new Http2Exchange(peer.address(), limits, () -> TLS);
    }

    private static FramePeer secure(FramePeer.Script script) throws Exception {
        return FramePeer.secure(TLS, BOTH, script);
    }

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
            HttpAnswer answer = exchange.carry(call, Deadline.in(Duration.ofSeconds(90)));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("gone");
            assertThat(answer.headers()).containsExactly(new Header("x-why", "n\u00e9ant"));
            FramePeer.Request seen = peer.requests().getFirst();
            assertThat(seen.body()).isEqualTo("<pay/>");
            assertThat(seen.fields().remove("penstock-deadline-ms")).matches("[78]\\d{4}|90000");
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
                assertThat(exchange.carry(HttpCall.get("/"), null).text()).isEqualTo("ok");
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
            assertThat(exchange.carry(HttpCall.get("/"), null).text()).isEqualTo(large);
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
                Http2Exchange exchange = exchange(peer, withWait(1, Duration.ofMillis(50)))) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            asked.await();
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> exchange.carry(CALL, null));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(rejected).hasMessageContaining("1 of 1 are in use").hasMessageContaining("pool.max");
            answer.countDown();
            assertThat(first.get().status()).isEqualTo(200);
            assertThat(exchange.carry(CALL, null).status()).isEqualTo(200);
            assertThat(exchange.connections()).containsEntry("pending", 0L).containsEntry("opened", 1L);
        }
    }

    @Test
    void noAnswerInTimeIsUnknownAndTheConnectionTakesNoMore() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    FramePeer.Request first = talk.request();
                    if (first.body().equals("slow")) {
                        talk.awaitEnd();
                        ended.countDown();
                    }
                    talk.answer(first.stream(), "ok");
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            long from = System.nanoTime();
            Unknown unknown = catchThrowableOfType(
                    Unknown.class,
                    () -> exchange.carry(HttpCall.post("/", "slow"), Deadline.in(Duration.ofMillis(300))));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(Duration.ofNanos(System.nanoTime() - from))
                    .isBetween(Duration.ofMillis(290), Duration.ofMillis(900));
            assertThat(peer.requests().getFirst().fields().get("penstock-deadline-ms"))
                    .matches("2\\d\\d|300");
            assertThat(ended.await(5, TimeUnit.SECONDS)).isTrue();
            assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void theResponseTimeoutBoundsATricklingAnswerAndOthersOnTheConnectionGoOn() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    int first = talk.request().stream();
                    int second = talk.request().stream();
                    talk.head(first, false);
                    for (int part = 0; part < 1_000 && answer.getCount() > 0; part++) {
                        talk.data(first, "x", false);
                        java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
                    }
                    talk.answer(second, "ok");
                    talk.request();
                });
                Http2Exchange exchange = exchange(
                        peer,
                        new TargetLimits(
                                9,
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(5),
                                Duration.ofMillis(600),
                                Duration.ZERO,
                                99_999))) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            while (peer.requests().isEmpty()) {
                Thread.onSpinWait();
            }
            java.util.concurrent.locks.LockSupport.parkNanos(200_000_000);
            CompletableFuture<HttpAnswer> second = inThread(exchange);
            assertThat(first.handle((_, e) -> e).get())
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT));
            answer.countDown();
            assertThat(second.get().text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionCutInTheMiddleOfAnAnswerIsUnknown() throws Exception {
        for (boolean begun : new boolean[] {false, true}) {
            try (FramePeer peer = secure(talk -> {
                        talk.open(100);
                        FramePeer.Request next = talk.request();
                        if (begun) {
                            talk.head(next.stream(), false);
                            talk.data(next.stream(), "half", false);
                        }
                        talk.close();
                    });
                    Http2Exchange exchange = exchange(peer)) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.carry(CALL, null));
                assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
                assertThat(unknown).hasMessageContaining(peer.address().hostAndPort());
                assertThat(peer.requests()).hasSize(1);
                assertThat(exchange.connections()).containsEntry("stale_used", 0L);
            }
        }
    }

    @Test
    void aKeptConnectionCutBeforeAnAnswerBeginsCountsAsStaleOnceForAllOnIt() throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    talk.answer(talk.request().stream(), "ok");
                    talk.request();
                    talk.request();
                    talk.close();
                });
                Http2Exchange exchange = exchange(peer)) {
            exchange.carry(CALL, null);
            CompletableFuture<HttpAnswer> one = inThread(exchange);
            CompletableFuture<HttpAnswer> other = inThread(exchange);
            assertThat(one.handle((_, e) -> e).get()).isInstanceOf(Unknown.class);
            assertThat(other.handle((_, e) -> e).get()).isInstanceOf(Unknown.class);
            assertThat(peer.requests()).hasSize(3);
            assertThat(exchange.connections()).containsEntry("stale_used", 1L);
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
                assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
                awaitNoConnection(exchange);
            }
            assertThat(exchange.connections()).containsEntry("opened", 5L).containsEntry("stale_used", 0L);
            assertThat(peer.requests()).hasSize(5);
        }
    }

    @Test
    void whatAGoAwaySaysIsNotProcessedFailedAndTheOthersGoOn() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    int first = talk.request().stream();
                    told.countDown();
                    talk.request();
                    talk.goAway(first, H2Error.NO_ERROR);
                    answer.await();
                    talk.answer(first, "ok");
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            told.await();
            Failed failed = catchThrowableOfType(Failed.class, () -> exchange.carry(CALL, null));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed.isRepeatable()).isTrue();
            assertThat(failed).hasMessageContaining("did not take the request");
            answer.countDown();
            assertThat(first.get().text()).isEqualTo("ok");
            assertThat(peer.requests()).hasSize(2);
            await(exchange, "leased", 0);
        }
    }

    @Test
    void aGoAwayWithAnErrorLeavesWhatMayHaveBeenProcessedUnknown() throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    int first = talk.request().stream();
                    talk.request();
                    // A code that would say "not processed", were it told of one stream.
                    talk.goAway(first, H2Error.REFUSED_STREAM);
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            while (peer.requests().isEmpty()) {
                Thread.onSpinWait();
            }
            Failed failed = catchThrowableOfType(Failed.class, () -> exchange.carry(CALL, null));
            assertThat(failed.isRepeatable()).isTrue();
            assertThat(first.handle((_, e) -> e).get()).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void anAnnouncedGoAwayMovesNewCallsToAnotherConnection() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.answer(talk.request().stream(), "ok");
                    talk.goAway(Integer.MAX_VALUE, H2Error.NO_ERROR);
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            for (int call = 0; call < 20; call++) {
                try {
                    assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
                } catch (Unknown sentBeforeItWasHeard) {
                    // It may be processed after such a notice; this peer just leaves.
                    assertThat(sentBeforeItWasHeard.why()).isEqualTo(Unknown.Cause.CLOSED);
                }
            }
            assertThat(peer.connections()).isGreaterThan(5);
        }
    }

    @Test
    void aRefusedStreamIsFailedAndTheConnectionGoesOn() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.reset(talk.request().stream(), H2Error.REFUSED_STREAM);
                    talk.answer(talk.request().stream(), "ok");
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            Failed failed = catchThrowableOfType(Failed.class, () -> exchange.carry(CALL, null));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed.isRepeatable()).isTrue();
            assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CANCEL", "INTERNAL_ERROR", "ENHANCE_YOUR_CALM", "HTTP_1_1_REQUIRED", "NO_ERROR"})
    void anyOtherResetIsUnknown(H2Error error) throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    talk.reset(talk.request().stream(), error);
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.carry(CALL, null));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
            assertThat(exchange.connections()).containsEntry("stale_used", 0L);
        }
    }

    @Test
    void aRefusalAfterTheAnswerBeganIsUnknown() throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    int stream = talk.request().stream();
                    talk.head(stream, false);
                    talk.reset(stream, H2Error.REFUSED_STREAM);
                    talk.request();
                });
                Http2Exchange exchange = exchange(peer)) {
            assertThat(catchThrowableOfType(Unknown.class, () -> exchange.carry(CALL, null)))
                    .isNotNull();
        }
    }

    @Test
    void anAnswerThatIsTooLargeIsUnknownAndIsResetAtOnce() throws Exception {
        for (String told : new String[] {"11", ""}) {
            CountDownLatch over = new CountDownLatch(1);
            List<List<String>> resets = new ArrayList<>();
            try (FramePeer peer = FramePeer.plain(talk -> {
                        resets.add(talk.resets());
                        talk.open(100);
                        int stream = talk.request().stream();
                        if (told.isEmpty()) {
                            talk.head(stream, false);
                            talk.data(stream, "01234567890", false);
                        } else {
                            talk.head(stream, false, "content-length", told);
                        }
                        talk.answer(talk.request().stream(), "ok");
                        over.countDown();
                        talk.request();
                    });
                    Http2Exchange exchange = exchange(peer, withMaxAnswer(10))) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.carry(CALL, null));
                assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
                assertThat(unknown).hasMessageContaining("10 bytes").hasMessageContaining("pool.max_answer");
                assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
                over.await();
                assertThat(resets.getFirst()).containsExactly("1 CANCEL");
                assertThat(peer.connections()).isEqualTo(1);
            }
        }
    }

    @Test
    void anAnswerThatCannotBeReadIsUnknown() throws Exception {
        List<FramePeer.Script> garbage = List.of(
                talk -> talk.answer(talk.request().stream(), "ok", "content-length", "3"),
                talk -> talk.answer(talk.request().stream(), "ok", "Upper", "x"),
                talk -> talk.answer(talk.request().stream(), "ok", "x-bad", "a\u0001b"),
                talk -> {
                    talk.request();
                    talk.sendRaw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nand so on and on and on");
                });
        for (FramePeer.Script script : garbage) {
            try (FramePeer peer = FramePeer.plain(talk -> {
                        talk.open(100);
                        script.serve(talk);
                        talk.request();
                    });
                    Http2Exchange exchange = exchange(peer)) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.carry(CALL, null));
                assertThat(unknown.why())
                        .as("script %s: %s", garbage.indexOf(script), unknown.getMessage())
                        .isEqualTo(Unknown.Cause.GARBLED);
            }
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
                Http2Exchange exchange = exchange(peer, withWait(1, Duration.ofSeconds(5)))) {
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
            Http2Exchange exchange = exchange(peer, withWait(1, Duration.ofMinutes(5)));
            CompletableFuture<HttpAnswer> inFlight = inThread(exchange);
            asked.await();
            CompletableFuture<HttpAnswer> waiting = inThread(exchange);
            await(exchange, "pending", 1);
            assertThat(threads()).isNotEmpty();
            exchange.close();
            exchange.close();
            assertThat(inFlight.handle((_, e) -> e).get())
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED));
            assertThat(waiting.handle((_, e) -> e).get())
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING));
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> exchange.carry(CALL, null));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING);
            assertThat(threads()).isEmpty();
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
                Http2Exchange exchange = exchange(
                        peer,
                        new TargetLimits(
                                9,
                                Duration.ofSeconds(1),
                                Duration.ofMillis(50),
                                Duration.ofSeconds(5),
                                Duration.ofMinutes(1),
                                Duration.ZERO,
                                99_999))) {
            exchange.carry(CALL, null);
            assertThat(ended.await(3, TimeUnit.SECONDS)).isTrue();
            awaitNoConnection(exchange);
            while (!threads().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
        }
    }

    @Test
    void sendsNothingWhenTheTimeIsUp() throws Exception {
        try (FramePeer peer = FramePeer.plain(ANSWERING);
                Http2Exchange exchange = exchange(peer)) {
            Rejected rejected = catchThrowableOfType(
                    Rejected.class, () -> exchange.carry(CALL, Deadline.in(Duration.ofMillis(-1))));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DEADLINE);
            assertThat(peer.connections()).isZero();
        }
    }

    @Test
    void saysWhatToCheckWhenThereIsNoConnection() throws Exception {
        FramePeer gone = FramePeer.plain(ANSWERING);
        gone.close();
        try (Http2Exchange exchange = exchange(gone)) {
            assertThat(failure(exchange)).hasMessageContaining("refused");
        }
        try (Http2Exchange exchange = new Http2Exchange(Address.of("https://gateway.invalid/"), limits(9), () -> TLS)) {
            assertThat(failure(exchange))
                    .hasMessageContaining("gateway.invalid:443")
                    .hasMessageContaining("host");
        }
        try (FramePeer plain = FramePeer.plain(talk -> talk.sendRaw("HTTP/1.1 400 Bad Request\r\n\r\n"));
                Http2Exchange exchange = new Http2Exchange(
                        Address.of("https://" + plain.address().hostAndPort()), limits(9), () -> TLS)) {
            assertThat(failure(exchange)).hasMessageContaining("TLS");
        }
        try (FramePeer strange = secure(ANSWERING);
                Http2Exchange exchange = new Http2Exchange(strange.address(), limits(9), () -> untrusting())) {
            assertThat(failure(exchange)).hasMessageContaining("certificate");
        }
        assertThat(threads()).isEmpty();
    }

    @Test
    void aCertificateOfAnotherHostIsNotTaken() throws Exception {
        try (FramePeer peer = secure(ANSWERING);
                Http2Exchange exchange = new Http2Exchange(
                        Address.of("https://127.0.0.2:" + peer.address().port()), limits(9), () -> TLS)) {
            assertThat(failure(exchange)).isNotNull();
            assertThat(peer.requests()).isEmpty();
        }
        try (FramePeer peer = secure(ANSWERING);
                Http2Exchange exchange = new Http2Exchange(
                        Address.of("https://localhost:" + peer.address().port()), limits(9), () -> TLS)) {
            assertThat(exchange.carry(CALL, null).text()).isEqualTo("ok");
        }
    }

    @Test
    void aPeerThatNeverTellsItsSettingsIsNoConnection() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (FramePeer silent = FramePeer.plain(talk -> over.await());
                Http2Exchange exchange = exchange(
                        silent,
                        new TargetLimits(
                                9,
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1),
                                Duration.ofMillis(100),
                                Duration.ofMinutes(1),
                                Duration.ZERO,
                                99))) {
            assertThat(failure(exchange)).hasMessageContaining("100 ms");
        } finally {
            over.countDown();
        }
    }

    @Test
    void aPeerThatOffersNoHttp2IsNoConnection() throws Exception {
        try (FramePeer old = FramePeer.secure(TLS, List.of("http/1.1"), talk -> talk.request());
                Http2Exchange exchange = exchange(old)) {
            assertThat(failure(exchange)).hasMessageContaining("offers no HTTP/2");
            assertThat(old.requests()).isEmpty();
        }
    }

    @Test
    void aPeerThatClosesEveryConnectionAtOnceIsNoConnection() throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    talk.close();
                });
                Http2Exchange exchange = exchange(peer)) {
            Unanswered ending = catchThrowableOfType(Unanswered.class, () -> exchange.carry(CALL, null));
            // Which of the two it is depends on whether the end comes before or after the request is sent.
            assertThat(ending.isRepeatable() || ending instanceof Unknown).isTrue();
        }
    }

    @Test
    void callersThatComeAndGoLeaveNothingBehind() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(7);
                    while (true) {
                        FramePeer.Request next = talk.request();
                        if (next.stream() % 5 == 0) {
                            talk.reset(next.stream(), H2Error.REFUSED_STREAM);
                        } else if (next.stream() % 41 == 0) {
                            talk.goAway(next.stream(), H2Error.NO_ERROR);
                            talk.answer(next.stream(), "ok");
                        } else {
                            talk.answer(next.stream(), "ok");
                        }
                    }
                });
                Http2Exchange exchange = exchange(peer, withWait(40, Duration.ofSeconds(5)))) {
            Set<String> endings = ConcurrentHashMap.newKeySet();
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < 50; caller++) {
                callers.add(CompletableFuture.runAsync(
                        () -> {
                            for (int call = 0; call < 40; call++) {
                                try {
                                    endings.add(exchange.carry(CALL, Deadline.in(Duration.ofSeconds(15)))
                                            .text());
                                } catch (Unanswered ending) {
                                    endings.add(ending.ending() + " " + ending.why());
                                }
                            }
                        },
                        task -> Thread.ofVirtual().start(task)));
            }
            callers.forEach(CompletableFuture::join);
            assertThat(endings).containsExactlyInAnyOrder("ok", "failed CONNECT");
            await(exchange, "leased", 0);
            assertThat(exchange.connections()).containsEntry("streams", 0L).containsEntry("pending", 0L);
        }
    }

    private static TargetLimits withWait(int poolMax, Duration wait) {
        return new TargetLimits(
                poolMax,
                wait,
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ZERO,
                1 << 20);
    }

    private static TargetLimits withMaxAnswer(int bytes) {
        return new TargetLimits(
                9,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Duration.ZERO,
                bytes);
    }

    private static SSLContext untrusting() {
        try {
            return SSLContext.getDefault();
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Failed failure(Http2Exchange exchange) {
        Failed failed = catchThrowableOfType(Failed.class, () -> exchange.carry(CALL, null));
        assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
        return failed;
    }

    /** Waits until a count is as expected; the test's own timeout ends it when it never is. */
    private static void await(Http2Exchange exchange, String state, long count) {
        while (exchange.connections().getOrDefault(state, -1L) != count) {
            Thread.onSpinWait();
        }
    }

    private static void awaitNoConnection(Http2Exchange exchange) {
        // In this order: one that was leased is idle next, never the other way round here.
        await(exchange, "leased", 0);
        await(exchange, "idle", 0);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock-h2"))
                .toList();
    }

    private static CompletableFuture<HttpAnswer> inThread(Http2Exchange exchange) {
        CompletableFuture<HttpAnswer> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(exchange.carry(CALL, null));
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** What a call throws on a thread of its own, once that thread has been seen to be still interrupted. */
    private static CompletableFuture<Throwable> interruptible(
            Http2Exchange exchange, CompletableFuture<Thread> thread) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            thread.complete(Thread.currentThread());
            try {
                exchange.carry(CALL, null);
                thrown.complete(new AssertionError("answered"));
            } catch (Exception e) {
                thrown.complete(
                        Thread.currentThread().isInterrupted() ? e : new AssertionError("the interrupt was lost"));
            }
        });
        return thrown;
    }
}
