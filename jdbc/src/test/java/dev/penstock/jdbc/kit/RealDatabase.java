package dev.penstock.jdbc.kit;

import dev.penstock.kit.program.RestartableServer;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A real database server, for tests that are the same for every kind of database. */
public interface RealDatabase extends RestartableServer {
    /** Connects as a user who may do everything. */
    Connection connect() throws SQLException;

    /** The URL through a proxy. */
    String urlThrough(InetSocketAddress proxy);

    /** A query that lasts for a time, in seconds. */
    String sleeping(double seconds);

    /** A query for the commands that end all idle sessions but the one that runs it. */
    String idleSessions();

    /** Ends all idle sessions, as an administrator does. */
    default void endIdleSessions() throws SQLException {
        try (Connection admin = connect();
                Statement statement = admin.createStatement()) {
            List<String> commands = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(idleSessions())) {
                while (rows.next()) {
                    commands.add(rows.getString(1));
                }
            }
            for (String command : commands) {
                try {
                    statement.execute(command);
                } catch (SQLException ended) {
                    // The session has ended meanwhile.
                }
            }
        }
    }
}
