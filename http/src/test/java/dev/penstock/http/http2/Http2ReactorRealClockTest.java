package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.FramePeer;
import dev.penstock.http.SelfSigned;
import dev.penstock.supervise.Supervisor;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.reactor.DefaultConnectingIOReactor;
import org.apache.hc.core5.reactor.IOReactorStatus;
import org.apache.hc.core5.reactor.IOSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one connection's handler throws ends that connection at most, and never the threads that carry all; on real sockets. */
@Timeout(60)
class Http2ReactorRealClockTest {
    private static final SSLContext TLS = SelfSigned.context();
    private static final long PATIENCE = 30_000_000_000L;

    private final BlockingQueue<FramePeer.Talk> talks = new LinkedBlockingQueue<>();

    private static final class FailingListener implements Http2Connection.Listener {
        private final AtomicInteger changes = new AtomicInteger();
        private final CompletableFuture<Http2Connection> ended = new CompletableFuture<>();
        private volatile @Nullable Error onChange;
        private volatile @Nullable Error onEnd;

        @Override
        public void released(Http2Stream stream) {}

        @Override
        public void changed(Http2Connection connection) {
            raise(onChange);
            changes.incrementAndGet();
        }

        @Override
        public void endedAfter(int processed) {}

        @Override
        public void ended(Http2Connection connection) {
            ended.complete(connection);
            raise(onEnd);
        }

        private static void raise(@Nullable Error fault) {
            if (fault != null) {
                throw fault;
            }
        }

        void await(int count) {
            while (changes.get() < count && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
            assertThat(changes).hasValueGreaterThanOrEqualTo(count);
        }
    }

    @Test
    void aThreadThatEndsIsReplacedAndCounted() throws Exception {
        Supervisor supervisor = Supervisor.create();
        Http2Reactor reactor = supervisor.whileCurrent(() -> new Http2Reactor("test"));
        try (FramePeer peer = FramePeer.plain(script())) {
            InetSocketAddress remote = new InetSocketAddress(peer.host(), peer.port());
            HttpHost host = new HttpHost(remote.getHostString(), remote.getPort());
            org.apache.hc.core5.util.Timeout time = org.apache.hc.core5.util.Timeout.ofSeconds(30);
            DefaultConnectingIOReactor first = reactor.acquire();
            first.connect(host, remote, null, time, null, new FutureCallback<IOSession>() {
                @Override
                public void completed(IOSession session) {
                    throw new NoClassDefFoundError("com/example/Gone");
                }

                @Override
                public void failed(Exception why) {
                    throw new NoClassDefFoundError("com/example/Gone");
                }

                @Override
                public void cancelled() {}
            });
            until(() -> supervisor.faults().getOrDefault("http2-reactor", 0L) == 1);
            reactor.release();

            DefaultConnectingIOReactor second = reactor.acquire();
            assertThat(second).isNotSameAs(first);
            assertThat(second.getStatus()).isEqualTo(IOReactorStatus.ACTIVE);
            until(() -> first.getStatus() == IOReactorStatus.SHUT_DOWN);
        } finally {
            reactor.close();
        }
        assertThat(supervisor.down()).isEmpty();
    }

    private static void until(BooleanSupplier holds) {
        long end = System.nanoTime() + PATIENCE;
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("it happens within 30 s").isNegative();
            Thread.onSpinWait();
        }
    }

    private FramePeer.Talk talk() throws InterruptedException {
        return Objects.requireNonNull(talks.poll(30, TimeUnit.SECONDS));
    }

    private FramePeer.Script script() {
        return talk -> {
            talk.open(100);
            talks.add(talk);
            talk.awaitEnd();
        };
    }

    /** With as many connections that each thread carries several. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandlerThatFailsEndsItsOwnConnectionAlone(boolean secure) throws Exception {
        Error fault = new NoClassDefFoundError("com/example/Gone");
        List<FailingListener> listeners = new ArrayList<>();
        List<FramePeer.Talk> peers = new ArrayList<>();
        try (FramePeer peer =
                secure ? FramePeer.secure(TLS, List.of("h2", "http/1.1"), script()) : FramePeer.plain(script())) {
            Http2Connector connector = new Http2Connector(peer.host(), peer.port(), 10, secure ? () -> TLS : null);
            try {
                for (int i = 0; i < 6; i++) {
                    FailingListener listener = new FailingListener();
                    connector.open(PATIENCE, listener);
                    listeners.add(listener);
                    peers.add(talk());
                }
                for (int i = 0; i < 2; i++) {
                    FailingListener failing = listeners.get(i);
                    failing.onChange = fault;
                    failing.onEnd = fault;
                    peers.get(i).settings(50 + i);
                    assertThat(failing.ended.get(30, TimeUnit.SECONDS).isOpen()).isFalse();
                }
                for (int i = 2; i < 6; i++) {
                    peers.get(i).settings(60);
                    listeners.get(i).await(2);
                    assertThat(listeners.get(i).ended).isNotDone();
                }
                for (int i = 0; i < 2; i++) {
                    assertThat(connector.open(PATIENCE, new FailingListener()).isOpen())
                            .isTrue();
                }
            } finally {
                connector.close();
            }
        }
    }
}
