package dev.penstock.jdbc.kit;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real MariaDB, as Debian installs it, in a temporary folder. Its test has {@code @NeedsProgram("mariadbd")}.
 * Not safe for many threads.
 */
public final class MariaDb implements AutoCloseable {
    private final String program = Programs.path("mariadbd");
    private final String installer = Programs.path("mariadb-install-db");
    private final Path folder;
    private final Path log;
    private final int port;
    private @Nullable Process process;

    private MariaDb() throws IOException {
        folder = Files.createTempDirectory("penstock-mariadb").toRealPath();
        log = folder.resolve("mariadb.log");
        port = StablePort.free();
    }

    /** Starts a server with an empty database. Close it. */
    public static MariaDb start() {
        try {
            MariaDb database = new MariaDb();
            try {
                database.install();
                database.run();
            } catch (IOException e) {
                database.close();
                throw e;
            }
            return database;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    public String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/penstock?user=root&createDatabaseIfNotExist=true";
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    /** kill -9. Does nothing when the server is not running. */
    public void kill() throws IOException {
        if (process != null) {
            Programs.kill(process);
            process = null;
        }
    }

    /** Starts it again, on the same folder and port; waits until it accepts connections. */
    public void restart() throws IOException {
        kill();
        run();
    }

    private void install() throws IOException {
        Process installing = Programs.started(
                List.of(
                        installer,
                        "--no-defaults",
                        "--datadir=" + folder.resolve("data"),
                        "--user=" + System.getProperty("user.name"),
                        "--skip-test-db"),
                log);
        if (installing.onExit().join().exitValue() != 0) {
            throw new IOException("MariaDB could not create its folder:\n" + Files.readString(log));
        }
    }

    private void run() throws IOException {
        process = Programs.serving(
                List.of(
                        program,
                        "--no-defaults",
                        "--datadir=" + folder.resolve("data"),
                        "--user=" + System.getProperty("user.name"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--socket=" + folder.resolve("socket"),
                        "--max-connections=400",
                        "--skip-grant-tables"),
                log,
                this::answers);
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        Folders.delete(folder);
    }
}
