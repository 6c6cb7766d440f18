package dev.penstock.jdbc.kit;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real MariaDB, as Debian installs it, in a temporary folder. Its test has {@code @NeedsProgram("mariadbd")}.
 * The user root needs no password. Safe for many threads.
 */
public final class MariaDb implements RealDatabase {
    private final String program = Programs.path("mariadbd");
    private final String installer = Programs.path("mariadb-install-db");
    private final Path folder;
    private final Path log;
    private final int port;
    private @Nullable Process process;
    private @Nullable SuspendedProcess suspended;

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
        return url("127.0.0.1:" + port) + "&createDatabaseIfNotExist=true";
    }

    private static String url(String address) {
        return "jdbc:mariadb://" + address + "/penstock?user=root";
    }

    @Override
    public String urlThrough(InetSocketAddress proxy) {
        return url(proxy.getHostString() + ":" + proxy.getPort());
    }

    @Override
    public String sleeping(double seconds) {
        return "select sleep(" + seconds + ")";
    }

    @Override
    public String idleSessions() {
        return "select concat('kill ', id) from information_schema.processlist"
                + " where id <> connection_id() and command = 'Sleep'";
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public synchronized void kill() throws IOException {
        if (process != null) {
            Programs.kill(process);
            process = null;
        }
        resume();
    }

    /** Starts it again, on the same folder and port, after kill -9; waits until it accepts connections. */
    @Override
    public synchronized void restart() throws IOException {
        kill();
        run();
    }

    @Override
    public synchronized void suspend() throws IOException {
        if (process != null && suspended == null) {
            suspended = SuspendedProcess.suspend(process);
        }
    }

    @Override
    public synchronized void resume() throws IOException {
        SuspendedProcess resumed = suspended;
        suspended = null;
        if (resumed != null) {
            resumed.close();
        }
    }

    private void install() throws IOException {
        Process installing = Programs.started(
                List.of(
                        installer,
                        "--no-defaults",
                        "--datadir=" + folder.resolve("data"),
                        "--user=" + System.getProperty("user.name"),
                        "--auth-root-authentication-method=normal",
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
                        "--max-connections=1500"),
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
