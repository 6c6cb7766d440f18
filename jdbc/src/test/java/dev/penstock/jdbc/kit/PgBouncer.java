package dev.penstock.jdbc.kit;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A real PgBouncer, as Debian installs it, in front of a PostgreSQL. Its test has
 * {@code @NeedsProgram("pgbouncer")}. Not safe for many threads.
 */
public final class PgBouncer implements AutoCloseable {
    private final String program = Programs.path("pgbouncer");
    private final RunAs runAs = RunAs.best();
    private final Path folder;
    private final int port;
    private final Map<String, String> settings;
    private InetSocketAddress database;
    private @Nullable Process process;

    private PgBouncer(InetSocketAddress database, Map<String, String> settings) throws IOException {
        this.database = database;
        this.settings = settings;
        this.port = StablePort.free();
        this.folder = Files.createTempDirectory("penstock-pgbouncer").toRealPath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /**
     * Starts a pooler.
     *
     * @param database the database behind it; all clients are its user postgres
     * @param mode its {@code pool_mode}: session, transaction or statement
     * @param more additional settings, which override the defaults
     */
    public static PgBouncer before(InetSocketAddress database, String mode, Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("pool_mode", mode);
        all.put("default_pool_size", "20");
        all.put("max_client_conn", "500");
        all.put("ignore_startup_parameters", "extra_float_digits,search_path");
        all.putAll(more);
        try {
            PgBouncer bouncer = new PgBouncer(database, all);
            bouncer.start();
            return bouncer;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Its address. */
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** kill -9. Does nothing when the pooler is not running. */
    public void kill() throws IOException {
        if (process != null) {
            Programs.kill(process);
            process = null;
        }
    }

    /** Starts it on the same port; waits until it listens. */
    public void start() throws IOException {
        Path log = folder.resolve("pgbouncer.log");
        process = Programs.serving(
                runAs.command(List.of(program, write().toString())), log, () -> Programs.isListening(port));
    }

    /** Switches to another database; sessions with the old one end. */
    public void leadTo(InetSocketAddress other) throws IOException {
        database = other;
        write();
        if (process != null) {
            Process signal = new ProcessBuilder("sh", "-c", "kill -HUP " + process.pid()).start();
            signal.onExit().join();
        }
    }

    private Path write() throws IOException {
        StringBuilder text = new StringBuilder("[databases]\n* = host=%s port=%d user=postgres%n[pgbouncer]%n"
                .formatted(database.getAddress().getHostAddress(), database.getPort()));
        text.append("listen_addr = 127.0.0.1\nlisten_port = ").append(port).append("\nunix_socket_dir =\n");
        text.append("auth_type = any\nserver_login_retry = 0.2\n");
        settings.forEach(
                (name, value) -> text.append(name).append(" = ").append(value).append('\n'));
        return Files.writeString(folder.resolve("pgbouncer.ini"), text);
    }

    @Override
    public void close() throws IOException {
        kill();
        Folders.delete(folder);
    }
}
