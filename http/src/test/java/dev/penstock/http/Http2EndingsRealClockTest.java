package dev.penstock.http;

import static dev.penstock.http.Http2Kit.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http2.H2Error;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How calls over HTTP/2 end that get no answer, against a peer that sends what frames it likes. */
@Timeout(120)
class Http2EndingsRealClockTest {
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
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
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
            exchange.send(CALL, null);
            CompletableFuture<HttpAnswer> one = inThread(exchange);
            CompletableFuture<HttpAnswer> other = inThread(exchange);
            assertThat(thrown(one)).isInstanceOf(Unknown.class);
            assertThat(thrown(other)).isInstanceOf(Unknown.class);
            assertThat(peer.requests()).hasSize(3);
            assertThat(exchange.connections()).containsEntry("stale_used", 1L);
        }
    }

    @Test
    void whatAGoAwayLeavesGoesOverAnotherConnectionAndTheOthersGoOn() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        try (FramePeer peer = secure(firstAndOthers(
                        talk -> {
                            talk.open(100);
                            int first = talk.request().stream();
                            told.countDown();
                            talk.request();
                            talk.goAway(first, H2Error.NO_ERROR);
                            answer.await();
                            talk.answer(first, "ok");
                            talk.request();
                        },
                        ANSWERING));
                Http2Exchange exchange = exchange(peer)) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            told.await();
            assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            assertThat(first).isNotDone();
            answer.countDown();
            assertThat(first.get().text()).isEqualTo("ok");
            assertThat(peer.requests()).hasSize(3);
            assertThat(peer.connections()).isEqualTo(2);
            await(exchange, "leased", 0);
        }
    }

    @Test
    void aGoAwayWithAnErrorLeavesWhatMayHaveBeenProcessedUnknown() throws Exception {
        try (FramePeer peer = FramePeer.plain(firstAndOthers(
                        talk -> {
                            talk.open(100);
                            int first = talk.request().stream();
                            talk.request();
                            // A code that would say "not processed", were it told of one stream.
                            talk.goAway(first, H2Error.REFUSED_STREAM);
                            talk.request();
                        },
                        ANSWERING));
                Http2Exchange exchange = exchange(peer)) {
            CompletableFuture<HttpAnswer> first = inThread(exchange);
            awaitRequests(peer, 1);
            assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            assertThat(thrown(first)).isInstanceOf(Unknown.class);
            assertThat(peer.requests()).hasSize(3);
        }
    }

    @Test
    void anAnswerThatBeganBeforeAGoAwayIsNotRepeated() throws Exception {
        try (FramePeer peer = FramePeer.plain(firstAndOthers(
                        talk -> {
                            talk.open(100);
                            int stream = talk.request().stream();
                            talk.head(stream, false);
                            talk.goAway(stream - 2, H2Error.NO_ERROR);
                            talk.request();
                        },
                        ANSWERING));
                Http2Exchange exchange = exchange(peer)) {
            assertThat(catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null)))
                    .isNotNull();
            assertThat(peer.requests()).hasSize(1);
        }
    }

    @Test
    void aRefusedStreamGoesOverAnotherConnectionAndTheFirstGoesOn() throws Exception {
        try (FramePeer peer = secure(firstAndOthers(
                        talk -> {
                            talk.open(100);
                            talk.reset(talk.request().stream(), H2Error.REFUSED_STREAM);
                            talk.answer(talk.request().stream(), "first");
                            talk.request();
                        },
                        ANSWERING));
                Http2Exchange exchange = exchange(peer)) {
            assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            assertThat(exchange.send(CALL, null).text()).isEqualTo("first");
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void whatNoConnectionTakesIsFailedAfterThree() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    while (true) {
                        talk.reset(talk.request().stream(), H2Error.REFUSED_STREAM);
                    }
                });
                Http2Exchange exchange = exchange(peer)) {
            Failed failed = catchThrowableOfType(Failed.class, () -> exchange.send(CALL, null));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(failed.isRetryable()).isTrue();
            assertThat(failed).hasMessageContaining("did not process the request");
            assertThat(peer.requests()).hasSize(3);
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
                    assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
                } catch (Unknown sentBeforeItWasHeard) {
                    // It may be processed after such a notice; this peer just leaves.
                    assertThat(sentBeforeItWasHeard.why()).isEqualTo(Unknown.Cause.CLOSED);
                }
            }
            assertThat(peer.connections()).isGreaterThan(5);
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
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
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
            assertThat(catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null)))
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
                    Http2Exchange exchange = exchange(peer, maxAnswer(10))) {
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
                assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED);
                assertThat(unknown).hasMessageContaining("10 bytes").hasMessageContaining("pool.max_answer");
                assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
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
                Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
                assertThat(unknown.why())
                        .as("script %s: %s", garbage.indexOf(script), unknown.getMessage())
                        .isEqualTo(Unknown.Cause.GARBLED);
            }
        }
    }

    @Test
    void saysWhatToCheckWhenThereIsNoConnection() throws Exception {
        try (RefusedPort gone = new RefusedPort();
                Http2Exchange exchange =
                        exchange(Address.of("http://127.0.0.1:" + gone.number() + "/"), limits(), TLS)) {
            assertThat(failure(exchange)).hasMessageContaining("refused");
        }
        try (Http2Exchange exchange = exchange(Address.of("https://gateway.invalid/"), limits(), TLS)) {
            assertThat(failure(exchange))
                    .hasMessageContaining("gateway.invalid:443")
                    .hasMessageContaining("host");
        }
        try (FramePeer plain = FramePeer.plain(talk -> talk.sendRaw("HTTP/1.1 400 Bad Request\r\n\r\n"));
                Http2Exchange exchange =
                        exchange(Address.of("https://" + plain.address().hostAndPort()), limits(), TLS)) {
            assertThat(failure(exchange)).hasMessageContaining("TLS");
        }
        try (FramePeer strange = secure(ANSWERING);
                Http2Exchange exchange = exchange(strange.address(), limits(), untrusting())) {
            assertThat(failure(exchange)).hasMessageContaining("certificate");
        }
        awaitNoThread();
    }

    @Test
    void aCertificateOfAnotherHostIsNotTaken() throws Exception {
        try (FramePeer peer = secure(ANSWERING)) {
            Address other = Address.of("https://localhost:" + peer.address().port());
            try (Http2Exchange exchange = exchange(other, limits(), TLS)) {
                assertThat(failure(exchange)).hasMessageContaining("localhost");
                assertThat(peer.requests()).isEmpty();
            }
            try (Http2Exchange exchange = exchange(peer)) {
                assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            }
        }
    }

    @Test
    void aPeerThatNeverTellsItsSettingsIsNoConnection() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (FramePeer silent = FramePeer.plain(talk -> over.await());
                Http2Exchange exchange = exchange(silent, times(LONG, Duration.ofMillis(100), LONG))) {
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
    void aPeerThatGoesAwayAtOnceIsNoConnection() throws Exception {
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(100);
                    talk.goAway(0, H2Error.NO_ERROR);
                    talk.awaitEnd();
                });
                Http2Exchange exchange = exchange(peer)) {
            // Whether the call was on its way when the notice came or not.
            assertThat(failure(exchange).isRetryable()).isTrue();
            awaitNoConnection(exchange);
        }
    }

    /** A script for the first connection, and one for all others. */
    private static FramePeer.Script firstAndOthers(FramePeer.Script first, FramePeer.Script others) {
        AtomicBoolean begun = new AtomicBoolean();
        return talk -> (begun.compareAndSet(false, true) ? first : others).serve(talk);
    }

    /** Trusts whom the platform trusts, and so nobody here. */
    private static SSLContext untrusting() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
