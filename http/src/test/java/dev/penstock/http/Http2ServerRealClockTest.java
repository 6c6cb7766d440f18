package dev.penstock.http;

import static dev.penstock.http.Http2Kit.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncServer;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.support.AsyncResponseBuilder;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2ServerBootstrap;
import org.apache.hc.core5.http2.ssl.H2ServerTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.ListenerEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a whole server, with TLS and ALPN, that behaves. */
@Timeout(120)
class Http2ServerRealClockTest {
    private static final int STREAMS = 100;

    /** Answers with what it is sent, but only once so many requests wait for it together. */
    private static final class EchoTogether implements AsyncServerRequestHandler<Message<HttpRequest, byte[]>> {
        private final int together;
        private final AtomicInteger came = new AtomicInteger();
        private final ConcurrentLinkedQueue<Runnable> held = new ConcurrentLinkedQueue<>();

        EchoTogether(int together) {
            this.together = together;
        }

        @Override
        public AsyncRequestConsumer<Message<HttpRequest, byte[]>> prepare(
                HttpRequest request, EntityDetails content, HttpContext context) {
            return new BasicRequestConsumer<>(content == null ? null : new BasicAsyncEntityConsumer());
        }

        @Override
        public void handle(Message<HttpRequest, byte[]> message, ResponseTrigger trigger, HttpContext context) {
            held.add(() -> answer(message, trigger, context));
            if (came.incrementAndGet() >= together) {
                for (Runnable next = held.poll(); next != null; next = held.poll()) {
                    next.run();
                }
            }
        }

        private static void answer(Message<HttpRequest, byte[]> message, ResponseTrigger trigger, HttpContext context) {
            byte[] body = message.getBody() == null ? new byte[0] : message.getBody();
            try {
                trigger.submitResponse(
                        AsyncResponseBuilder.create(201)
                                .setHeader(
                                        "X-Version",
                                        message.getHead().getVersion().toString())
                                .setEntity(body, ContentType.APPLICATION_OCTET_STREAM)
                                .build(),
                        context);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static HttpAsyncServer server(HttpVersionPolicy policy, EchoTogether handler) {
        HttpAsyncServer server = H2ServerBootstrap.bootstrap()
                .setIOReactorConfig(IOReactorConfig.custom().setIoThreadCount(1).build())
                .setCanonicalHostName("127.0.0.1")
                .setTlsStrategy(new H2ServerTlsStrategy(TLS))
                .setVersionPolicy(policy)
                .setH2Config(H2Config.custom()
                        .setMaxConcurrentStreams(STREAMS)
                        .setPushEnabled(false)
                        .build())
                .register("*", handler)
                .create();
        server.start();
        return server;
    }

    private static Address listen(HttpAsyncServer server) throws Exception {
        ListenerEndpoint endpoint = server.listen(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), URIScheme.HTTPS)
                .get();
        return Address.of("https://127.0.0.1:" + ((InetSocketAddress) endpoint.getAddress()).getPort() + "/");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 70_000, 3_000_000})
    void carriesBodiesOfAnySizeBothWays(int size) throws Exception {
        HttpAsyncServer server = server(HttpVersionPolicy.FORCE_HTTP_2, new EchoTogether(1));
        try (Http2Exchange exchange = exchange(listen(server), limits(), TLS)) {
            byte[] body = new byte[size];
            for (int i = 0; i < size; i++) {
                body[i] = (byte) (i * 31);
            }
            HttpAnswer answer = exchange.send(HttpCall.post("/in", body), null);
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.body()).isEqualTo(body);
            assertThat(answer.headers().first("X-Version")).isEqualTo("HTTP/2.0");
        } finally {
            server.close(CloseMode.IMMEDIATE);
        }
    }

    @Test
    void hasMoreCallsOutThanOneConnectionMayHaveStreams() throws Exception {
        int callers = 3 * STREAMS;
        HttpAsyncServer server = server(HttpVersionPolicy.FORCE_HTTP_2, new EchoTogether(callers));
        try (Http2Exchange exchange = exchange(listen(server), limits(), TLS)) {
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                String text = "payment " + caller;
                calls.add(CompletableFuture.supplyAsync(
                        () -> echo(exchange, text), task -> Thread.ofVirtual().start(task)));
            }
            for (int caller = 0; caller < callers; caller++) {
                assertThat(calls.get(caller).get()).isEqualTo("payment " + caller);
            }
            assertThat(exchange.connections()).containsEntry("opened", 3L).containsEntry("streams", 0L);
        } finally {
            server.close(CloseMode.IMMEDIATE);
        }
    }

    @Test
    void findsOutWhatTheServerOffers() throws Exception {
        assertThat(versionFoundOut(HttpVersionPolicy.NEGOTIATE)).isEqualTo("HTTP/2.0");
        assertThat(versionFoundOut(HttpVersionPolicy.FORCE_HTTP_1)).isEqualTo("HTTP/1.1");
    }

    private static String versionFoundOut(HttpVersionPolicy policy) throws Exception {
        HttpAsyncServer server = server(policy, new EchoTogether(1));
        Address address = listen(server);
        ExchangeMonitor monitor = new ExchangeMonitor("", null);
        TargetAccess access = new TargetAccess(null, SelfSigned.trust().open(), null);
        try (NegotiatedExchange exchange = new NegotiatedExchange(
                new Http2Exchange(address, limits(), access.contexts(), monitor),
                () -> new PooledExchange(address, limits(), access, monitor, Ticker.SYSTEM),
                Ticker.SYSTEM)) {
            HttpAnswer first = exchange.send(HttpCall.post("/in", "hello"), null);
            HttpAnswer second = exchange.send(HttpCall.post("/in", "hello"), null);
            assertThat(first.text()).isEqualTo("hello");
            assertThat(second.headers().first("X-Version"))
                    .isEqualTo(first.headers().first("X-Version"));
            assertThat(monitor.totals()).containsEntry("count", 2L);
            return String.valueOf(first.headers().first("X-Version"));
        } finally {
            server.close(CloseMode.IMMEDIATE);
        }
    }

    private static String echo(Exchange exchange, String text) {
        try {
            HttpAnswer answer = exchange.send(HttpCall.post("/in", text.getBytes(StandardCharsets.UTF_8)), null);
            return answer.text();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
