package dev.penstock.races.jdbcidle;

import dev.penstock.Ticker;
import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpReport;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.TcpSimulatorBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL behind a middlebox that drops connections, and behind another one that drops none for the rehearsal. The
 * server is shared in this JVM; the table is new.
 */
final class IdleScene implements Scene {
    static final String URL = "url";
    static final String REHEARSAL_URL = "rehearsal_url";
    static final String TABLE = "table";

    /** All connections are lost that long before a burst. */
    private static final Duration BEFORE = Duration.ofSeconds(1);

    private final FreshSchema schema;
    private final TcpSimulator dropping;
    private final TcpSimulator harmless;
    private final List<Duration> losses;
    private final Map<String, String> parameters = new LinkedHashMap<>();
    private volatile boolean closed;

    /**
     * Opens the scene.
     *
     * @param kill the idle time after which a connection is dropped; null: all are lost shortly before each burst
     */
    IdleScene(@Nullable Duration kill, Bursts bursts) throws SQLException, IOException {
        RealPostgres postgres = RealPostgres.shared();
        InetSocketAddress server = postgres.address();
        schema = postgres.schema();
        schema.execute("CREATE TABLE entry (id bigint NOT NULL)");
        schema.execute("CREATE INDEX ON entry (id)");
        TcpSimulatorBuilder path = TcpSimulator.to(server.getHostString(), server.getPort());
        dropping = (kill == null ? path : path.killIdle(kill, IdleKill.BLACKHOLE)).start();
        harmless = TcpSimulator.to(server.getHostString(), server.getPort()).start();
        losses = kill == null
                ? bursts.at().stream().skip(1).map(at -> at.minus(BEFORE)).toList()
                : List.of();
        parameters.put(URL, postgres.urlThrough(address(dropping)));
        parameters.put(REHEARSAL_URL, postgres.urlThrough(address(harmless)));
        parameters.put(TABLE, schema.name() + ".entry");
    }

    @Override
    public void begin() {
        long start = Ticker.SYSTEM.nanos();
        Thread.ofVirtual().name("race-losses").start(() -> {
            for (Duration loss : losses) {
                long due = start + loss.toNanos();
                while (!closed && due - Ticker.SYSTEM.nanos() > 0) {
                    Ticker.SYSTEM.parkUntil(due);
                }
                dropping.forgetAll();
            }
        });
    }

    private static InetSocketAddress address(TcpSimulator simulator) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), simulator.port());
    }

    @Override
    public Map<String, String> parameters() {
        return Map.copyOf(parameters);
    }

    /**
     * {@code connections_opened} by the measured pool; {@code killed}: how many of them the middlebox dropped.
     */
    @Override
    public Map<String, Double> metrics() {
        TcpReport.Connections connections = dropping.report().connections();
        return Map.of(
                "connections_opened", (double) connections.accepted(),
                "killed", (double) connections.killed());
    }

    @Override
    public void close() throws IOException {
        closed = true;
        dropping.close();
        harmless.close();
        try {
            schema.close();
        } catch (SQLException e) {
            throw new IOException("the table could not be dropped: " + e.getMessage(), e);
        }
    }
}
