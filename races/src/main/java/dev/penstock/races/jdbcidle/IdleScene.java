package dev.penstock.races.jdbcidle;

import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpReport;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL behind a middlebox that kills idle connections, and behind another one without kills for the rehearsal.
 * The server is shared in this JVM; the table is new.
 */
final class IdleScene implements Scene {
    /** The original service's 30 minutes, scaled by 360. */
    static final Duration KILLS_AFTER = Duration.ofSeconds(5);

    static final String URL = "url";
    static final String REHEARSAL_URL = "rehearsal_url";
    static final String TABLE = "table";
    static final String STATE = "state";

    private final FreshSchema schema;
    private final TcpSimulator killing;
    private final TcpSimulator harmless;
    private final Map<String, String> parameters = new LinkedHashMap<>();

    /**
     * Opens the scene.
     *
     * @param how how connections are killed
     * @param port of the middlebox: learned state of a path is stored by its address
     * @param state what an earlier start learned about this path; null for none
     */
    IdleScene(IdleKill how, int port, @Nullable Path state) throws SQLException, IOException {
        RealPostgres postgres = RealPostgres.shared();
        InetSocketAddress server = postgres.address();
        schema = postgres.schema();
        schema.execute("CREATE TABLE entry (id bigint NOT NULL)");
        schema.execute("CREATE INDEX ON entry (id)");
        killing = TcpSimulator.to(server.getHostString(), server.getPort())
                .port(port)
                .killIdle(KILLS_AFTER, how)
                .start();
        harmless = TcpSimulator.to(server.getHostString(), server.getPort()).start();
        parameters.put(URL, postgres.urlThrough(address(killing)));
        parameters.put(REHEARSAL_URL, postgres.urlThrough(address(harmless)));
        parameters.put(TABLE, schema.name() + ".entry");
        if (state != null) {
            parameters.put(STATE, state.toString());
        }
    }

    private static InetSocketAddress address(TcpSimulator simulator) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), simulator.port());
    }

    int port() {
        return killing.port();
    }

    @Override
    public Map<String, String> parameters() {
        return Map.copyOf(parameters);
    }

    /**
     * {@code connections_opened} by the measured pool; {@code killed}: how many of them were killed because they were
     * idle.
     */
    @Override
    public Map<String, Double> metrics() {
        TcpReport.Connections connections = killing.report().connections();
        return Map.of(
                "connections_opened", (double) connections.accepted(),
                "killed", (double) connections.killed());
    }

    @Override
    public void close() throws IOException {
        killing.close();
        harmless.close();
        try {
            schema.close();
        } catch (SQLException e) {
            throw new IOException("the table could not be dropped: " + e.getMessage(), e);
        }
    }
}
