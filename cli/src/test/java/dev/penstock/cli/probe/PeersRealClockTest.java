package dev.penstock.cli.probe;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers and their dependencies, behind a middlebox that kills idle connections after a short time. */
@Timeout(120)
class PeersRealClockTest {
    /** In the time of the middlebox, whose clock stands still unless a test moves it. */
    private static final Duration KILL = Duration.ofMinutes(1);

    private static final Duration LONG = Duration.ofMinutes(1);
    /** A limit for waits that never succeed. */
    private static final Duration SHORT = Duration.ofMillis(100);

    private final ManualTicker ticker = new ManualTicker();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void httpPeerReportsHowConnectionsEnd(IdleKill how) throws Exception {
        try (HttpSimulator server = HttpSimulator.builder().start();
                TcpSimulator way = way(server.port(), how);
                HttpPeer peer = http(way.port())) {
            assertThat(end(requireNonNull(peer.idle()), way, how)).isEqualTo(kind(how));
        }
    }

    @ParameterizedTest
    @EnumSource
    void tcpWithAnExchangeToo(IdleKill how) throws Exception {
        try (HttpSimulator server = HttpSimulator.builder().start();
                TcpSimulator way = way(server.port(), how);
                TcpPeer peer = new TcpPeer("127.0.0.1", way.port(), "GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")) {
            assertThat(end(peer.idle(), way, how)).isEqualTo(kind(how));
            assertThat(peer.run(ClosedLoad.of(2, Duration.ZERO).count(10))
                            .counts()
                            .right())
                    .isEqualTo(10);
        }
    }

    /** Otherwise the kernel might deliver the request later, and the server would answer it while others are measured. */
    @Test
    void aCallThatIsNotAnsweredInTimeIsReset() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept();
                IdleConnection connection = new SocketConnection(
                        client, used -> used.getInputStream().read())) {
            assertThat(connection.use(SHORT)).isEqualTo(KillKind.SILENT);
            assertThatThrownBy(() -> accepted.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void tcpWithoutAnExchangeSeesNoSilence() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder().start();
                TcpSimulator way = way(server.port(), IdleKill.BLACKHOLE);
                TcpPeer peer = new TcpPeer("127.0.0.1", way.port(), null)) {
            assertThat(end(peer.idle(), way, IdleKill.BLACKHOLE)).isNull();
            assertThat(peer.run(ClosedLoad.of(2, Duration.ZERO).count(10))
                            .counts()
                            .right())
                    .isEqualTo(10);
            assertThat(peer.announced()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void postgresPeerReportsHowConnectionsEnd(IdleKill how) throws Exception {
        RealPostgres postgres = RealPostgres.shared();
        try (TcpSimulator way = way(postgres.address().getPort(), how);
                JdbcPeer peer =
                        jdbc(postgres.url().replace(":" + postgres.address().getPort(), ":" + way.port()))) {
            assertThat(end(requireNonNull(peer.idle()), way, how)).isEqualTo(kind(how));
        }
    }

    @Test
    void postgresReportsItsLimitsAndClosesSessions() throws Exception {
        RealPostgres postgres = RealPostgres.shared();
        String url = postgres.url() + "&options=-c%20idle_session_timeout=1200";
        try (JdbcPeer peer = jdbc(url)) {
            assertThat(peer.announced())
                    .extracting(AnnouncedLimit::name)
                    .contains("max_connections", "superuser_reserved_connections", "connections in use", "version");
            assertThat(peer.announced().stream()
                            .filter(one -> one.name().equals("idle_session_timeout"))
                            .map(AnnouncedLimit::value))
                    .containsExactly("1200ms");
            try (IdleConnection connection = requireNonNull(peer.idle()).open()) {
                assertThat(connection.ended(LONG)).isEqualTo(KillKind.FIN);
            }
        }
        try (JdbcPeer nobody = jdbc("jdbc:postgresql://127.0.0.1:1/none?user=none")) {
            assertThatThrownBy(nobody::announced)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be reached");
        }
    }

    @Test
    @NeedsProgram("pgbouncer")
    void poolerShowsLimitsOfItsDatabaseAndClosesIdleClients() throws Exception {
        RealPostgres postgres = RealPostgres.shared();
        Map<String, String> idle = Map.of("client_idle_timeout", "1", "server_idle_timeout", "1");
        try (PgBouncer pooler = PgBouncer.before(postgres.address(), "transaction", idle);
                JdbcPeer peer = jdbc(postgres.urlThrough(pooler.address()))) {
            assertThat(peer.announced()).extracting(AnnouncedLimit::name).contains("max_connections");
            try (IdleConnection connection = requireNonNull(peer.idle()).open()) {
                assertThat(connection.ended(LONG)).isEqualTo(KillKind.FIN);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void detectsKillsOfBrokerConnections(IdleKill how) throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder, "127.0.0.1", 0);
                TcpSimulator way = way(Integer.parseInt(broker.url().replaceFirst(".*:", "")), how);
                JmsPeer peer =
                        new JmsPeer("tcp://127.0.0.1:" + way.port(), null, number -> JmsMessage.text("x"), null)) {
            assertThat(end(requireNonNull(peer.idle()), way, how)).isEqualTo(kind(how));
            assertThat(peer.run(ClosedLoad.of(1, Duration.ZERO).count(2))
                            .counts()
                            .right())
                    .isEqualTo(2);
            assertThat(peer.announced())
                    .extracting(AnnouncedLimit::name)
                    .contains("client", "clientFailureCheckPeriod");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"failover:(amqp://127.0.0.1:1,amqp://127.0.0.1:2)", "(tcp://127.0.0.1:1,tcp://127.0.0.1:2)"})
    void reconnectingClientShowsNoKill(String url) {
        try (JmsPeer peer = new JmsPeer(url, null, number -> JmsMessage.text("x"), null)) {
            assertThat(peer.idle()).isNull();
        }
    }

    @Test
    void closesConnectionThatDoesNotStart() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Connection broken = (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    if (method.getName().equals("start")) {
                        throw new JMSException("no");
                    }
                    if (method.getName().equals("close")) {
                        closed.countDown();
                    }
                    return null;
                });
        assertThatThrownBy(() -> JmsConnection.of(broken)).isInstanceOf(JMSException.class);
        assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void serverThatClosesEachConnectionHasNoIdleOnes() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                        .close(Closing.HEADER, new FaultSchedule(KILL, KILL))
                        .ticker(ticker)
                        .start();
                HttpPeer peer = http(server.port())) {
            ticker.advance(KILL); // the first window opens after one period
            assertThatThrownBy(() -> requireNonNull(peer.idle()).open())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("closes each connection after its answer");
            assertThat(peer.announced()).extracting(AnnouncedLimit::name).contains("Connection");
        }
    }

    /** Uses a connection before its kill age, then leaves it idle until the middlebox has killed it. */
    private @Nullable KillKind end(IdleConnection.Port port, TcpSimulator way, IdleKill how) throws Exception {
        try (IdleConnection connection = port.open()) {
            // The client has a connection before the middlebox has accepted it.
            await(() -> way.report().connections().open() > 0);
            for (int i = 0; i < 2; i++) {
                ticker.advance(KILL.multipliedBy(3).dividedBy(4));
                assertThat(connection.use(LONG)).isNull();
            }
            assertThat(connection.ended(Duration.ofMillis(1))).isNull();
            ticker.advance(KILL);
            await(() -> way.report().connections().open() == 0);
            assertThat(way.report().connections().killedIdle().get(how)).isPositive();
            KillKind told = connection.ended(how == IdleKill.BLACKHOLE ? SHORT : LONG);
            return told == null ? connection.use(SHORT) : told;
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private TcpSimulator way(int port, IdleKill how) throws IOException {
        return TcpSimulator.to("127.0.0.1", port)
                .killIdle(KILL, how)
                .ticker(ticker)
                .start();
    }

    private static KillKind kind(IdleKill how) {
        return switch (how) {
            case FIN -> KillKind.FIN;
            case RST -> KillKind.RST;
            case BLACKHOLE -> KillKind.SILENT;
        };
    }

    private static HttpPeer http(int port) {
        HttpCall call = HttpCall.of("GET", "/", Headers.none(), new byte[0]);
        return new HttpPeer("http://127.0.0.1:" + port + "/", new Nothing(), number -> call, null);
    }

    private static JdbcPeer jdbc(String url) {
        String where = "jdbc:postgresql://test";
        return new JdbcPeer(
                url, where, new Nothing(), number -> JdbcRequest.empty(), null, DirectConnections.to(url, where));
    }

    /** This peer sends no load. */
    private static final class Nothing implements LoadSender {
        @Override
        public LoadResult run(Load<?> load) {
            throw new UnsupportedOperationException("no load here");
        }

        @Override
        public void close() {}
    }
}
