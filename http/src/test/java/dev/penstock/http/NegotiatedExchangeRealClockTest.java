package dev.penstock.http;

import static dev.penstock.http.Http2Kit.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.http2.H2Error;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On real sockets: what a target offers is told by a TLS handshake. */
@Timeout(120)
class NegotiatedExchangeRealClockTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Http11 http11 = new Http11();

    /** Stands for the exchange over HTTP/1.1, which is not looked at here. */
    private static final class Http11 implements Exchange {
        private final AtomicInteger made = new AtomicInteger();
        private final AtomicInteger calls = new AtomicInteger();
        private volatile boolean gone;
        private volatile boolean closed;

        private Exchange make() {
            made.incrementAndGet();
            return this;
        }

        @Override
        public HttpAnswer send(HttpCall call, @Nullable Deadline deadline) throws Failed {
            if (gone) {
                throw new Failed(Failed.Cause.CONNECT, "gone");
            }
            calls.incrementAndGet();
            return HttpAnswer.of(200, "1.1");
        }

        @Override
        public Map<String, Long> connections() {
            return Map.of("opened", 5L, "idle", 2L);
        }

        @Override
        public List<ExchangeSetting> settings() {
            return List.of(new ExchangeSetting("pool.max", "7", "it is of HTTP/1.1"));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static FramePeer offering(String... protocols) throws Exception {
        return offering(List.of(protocols));
    }

    private static FramePeer offering(List<String> protocols) throws Exception {
        return FramePeer.secure(TLS, protocols, talk -> {
            talk.open(100);
            while (true) {
                talk.answer(talk.request().stream(), "2");
            }
        });
    }

    private NegotiatedExchange negotiated(Address address) {
        return new NegotiatedExchange(exchange(address, limits(), TLS), http11::make, ticker);
    }

    @Test
    void usesTheConnectionItAskedWithWhereThereIsHttp2() throws Exception {
        try (FramePeer peer = offering("h2", "http/1.1");
                NegotiatedExchange exchange = negotiated(peer.address())) {
            assertThat(exchange.send(CALL, null).text()).isEqualTo("2");
            assertThat(exchange.send(CALL, null).text()).isEqualTo("2");
            assertThat(peer.connections()).isEqualTo(1);
            assertThat(http11.made).hasValue(0);
            assertThat(exchange.connections()).containsEntry("opened", 1L);
        }
        assertThat(http11.closed).isFalse();
    }

    @Test
    void asksOnceWhereThereIsNone() throws Exception {
        for (List<String> protocols : List.of(List.of("http/1.1"), List.<String>of())) {
            try (FramePeer peer = offering(protocols);
                    NegotiatedExchange exchange = negotiated(peer.address())) {
                for (int call = 0; call < 5; call++) {
                    assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
                }
                assertThat(peer.connections()).isEqualTo(1);
                assertThat(peer.requests()).isEmpty();
                assertThat(exchange.connections()).containsEntry("opened", 5L).containsEntry("idle", 2L);
                assertThat(exchange.settings())
                        .extracting(ExchangeSetting::value)
                        .containsExactly("7");
            }
            assertThat(http11.closed).isTrue();
        }
        assertThat(http11.made).hasValue(2);
    }

    @Test
    void manyFirstCallsAskTogether() throws Exception {
        try (FramePeer peer = offering("http/1.1");
                NegotiatedExchange exchange = negotiated(peer.address())) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int call = 0; call < 20; call++) {
                CompletableFuture<String> done = new CompletableFuture<>();
                calls.add(done);
                Thread.ofVirtual().start(() -> {
                    try {
                        done.complete(exchange.send(CALL, null).text());
                    } catch (Exception e) {
                        done.completeExceptionally(e);
                    }
                });
            }
            for (CompletableFuture<String> call : calls) {
                assertThat(call.get()).isEqualTo("1.1");
            }
            assertThat(http11.made).hasValue(1);
            assertThat(peer.connections()).isLessThan(20);
        }
    }

    @Test
    void asksAgainAfterAWhileAndMovesOver() throws Exception {
        List<String> protocols = new CopyOnWriteArrayList<>(List.of("http/1.1"));
        try (FramePeer peer = offering(protocols);
                NegotiatedExchange exchange = negotiated(peer.address())) {
            assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
            protocols.addFirst("h2");
            ticker.advance(NegotiatedExchange.RENEGOTIATE_AFTER.minusNanos(1));
            assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
            assertThat(peer.connections()).isEqualTo(1);
            ticker.advance(Duration.ofNanos(1));
            Calls.until(() -> isOverHttp2(exchange));
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    private static boolean isOverHttp2(Exchange exchange) {
        try {
            return exchange.send(CALL, null).text().equals("2");
        } catch (Unanswered e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void goesBackWhereHttp2IsOfferedNoMore() throws Exception {
        List<String> protocols = new CopyOnWriteArrayList<>(List.of("h2", "http/1.1"));
        try (FramePeer peer = offering(protocols);
                NegotiatedExchange exchange = negotiated(peer.address())) {
            assertThat(exchange.send(CALL, null).text()).isEqualTo("2");
            protocols.removeFirst();
            peer.cut();
            awaitNoConnection(exchange);
            assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
            assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
            assertThat(peer.connections()).isEqualTo(2);
        }
    }

    @Test
    void movesToHttp11WhereAStreamIsResetForThat() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(100);
                    talk.reset(talk.request().stream(), H2Error.HTTP_1_1_REQUIRED);
                    talk.request();
                });
                NegotiatedExchange exchange = negotiated(peer.address())) {
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
            assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
        }
    }

    @Test
    void asksAgainAfterAConnectionFailed() throws Exception {
        List<String> protocols = new CopyOnWriteArrayList<>(List.of("http/1.1"));
        try (FramePeer peer = offering(protocols);
                NegotiatedExchange exchange = negotiated(peer.address())) {
            assertThat(exchange.send(CALL, null).text()).isEqualTo("1.1");
            http11.gone = true;
            protocols.addFirst("h2");
            assertThat(catchThrowableOfType(Failed.class, () -> exchange.send(CALL, null)))
                    .hasMessage("gone");
            assertThat(exchange.send(CALL, null).text()).isEqualTo("2");
        }
    }

    @Test
    void whatCannotBeAskedFailsAndIsAskedByTheNextCall() throws Exception {
        try (RefusedPort gone = new RefusedPort();
                NegotiatedExchange exchange = negotiated(Address.of("https://127.0.0.1:" + gone.number()))) {
            Failed failed = catchThrowableOfType(Failed.class, () -> exchange.send(CALL, null));
            assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(http11.made).hasValue(0);
        }
    }

    @Test
    void closedItRejects() throws Exception {
        try (FramePeer peer = offering("http/1.1")) {
            NegotiatedExchange exchange = negotiated(peer.address());
            exchange.close();
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> exchange.send(CALL, null));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.DRAINING);
            assertThat(peer.connections()).isZero();
        }
    }
}
