package dev.penstock.jdbc.kit;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL started by the tests: its folder, port and processes. */
final class Server implements AutoCloseable {
    private static final Duration TO_START = Duration.ofSeconds(120);
    private static final Duration TO_STOP = Duration.ofSeconds(60);
    private static final Duration TO_BE_GONE = Duration.ofSeconds(60);
    private static final long LOOK_AGAIN_MS = 20;
    private static final int TRIES = 5;

    /**
     * Stops the server and deletes its folder when this JVM is gone: its standard input, a pipe from this JVM, closes
     * then.
     */
    private static final String WATCH = """
            read -r _
            pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null)
            [ -n "$pid" ] && [ "$(readlink "/proc/$pid/cwd")" = "$0/data" ] && kill -QUIT "$pid"
            rm -rf "$0"
            """;

    private final RunAs runAs;
    private final Path programs;
    private final Path folder;
    private final Map<String, String> settings;
    private final Thread atExit = new Thread(this::closeQuietly, "postgres-end");
    private final Process watch;
    private final int port;
    private @Nullable Process process;
    private @Nullable SuspendedProcess suspended;

    Server(RunAs runAs, Map<String, String> settings) throws IOException {
        this(runAs, settings, null);
    }

    /** A standby of another server, which must be stopped: a cold copy that follows the primary's log. */
    Server(Server primary) throws IOException {
        this(primary.runAs, primary.settings, primary);
    }

    private Server(RunAs runAs, Map<String, String> settings, @Nullable Server primary) throws IOException {
        this.runAs = runAs;
        this.settings = settings;
        programs = Binaries.unpacked();
        folder = Files.createTempDirectory("penstock-postgres-data").toRealPath();
        runAs.own(folder);
        watch = watch(folder);
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            if (primary == null) {
                initialise();
            } else {
                copy(primary);
            }
            port = startOnAFreePort();
        } catch (IOException | RuntimeException e) {
            closeQuietly();
            throw e;
        }
    }

    int port() {
        return port;
    }

    RunAs runAs() {
        return runAs;
    }

    synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    synchronized void start() throws IOException {
        long giveUpAt = System.nanoTime() + TO_BE_GONE.toNanos();
        while (!isRunning()) {
            try {
                run(port);
            } catch (IOException e) {
                // Dying processes of the previous server prevent the next one from starting.
                if (System.nanoTime() > giveUpAt) {
                    throw e;
                }
            }
        }
    }

    /** Stops it gracefully: running statements finish, and no recovery is needed. */
    synchronized void stop() throws IOException {
        resume();
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        signal("INT", postmaster(running));
        if (!waitFor(running, TO_STOP)) {
            kill();
        }
        process = null;
    }

    /** kill -9 of all of its processes; they are stopped first, so that no new one starts meanwhile. */
    synchronized void kill() throws IOException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        signal("STOP", postmaster(running));
        List<ProcessHandle> tree = Stream.concat(running.descendants(), Stream.of(running.toHandle()))
                .toList();
        tree.forEach(ProcessHandle::destroyForcibly);
        if (!waitFor(running, TO_STOP)) {
            throw new IOException("PostgreSQL outlived kill -9 for " + TO_STOP.toSeconds() + " s");
        }
        process = null;
        resume();
    }

    synchronized void suspend() throws IOException {
        Process running = process;
        if (running != null && running.isAlive() && suspended == null) {
            suspended = SuspendedProcess.suspend(running);
        }
    }

    synchronized void resume() throws IOException {
        SuspendedProcess resumed = suspended;
        suspended = null;
        if (resumed != null) {
            resumed.close();
        }
    }

    static Process watch(Path folder) throws IOException {
        return new ProcessBuilder("sh", "-c", WATCH, folder.toString()).start();
    }

    private void initialise() throws IOException {
        Path log = folder.resolve("initdb.log");
        Process initdb = launch(
                log,
                List.of(
                        programs.resolve("bin/initdb").toString(),
                        "--pgdata=" + data(),
                        "--username=postgres",
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"));
        if (!waitFor(initdb, TO_START) || initdb.exitValue() != 0) {
            initdb.destroyForcibly();
            throw new IOException("PostgreSQL could not lay out its folder, as " + runAs + ":\n" + tail(log)
                    + "\nSet java.io.tmpdir to a folder that everybody may enter, or PENSTOCK_TEST_POSTGRES to the URL of"
                    + " a running server.");
        }
    }

    private void copy(Server primary) throws IOException {
        String follow = "primary_conninfo = 'host=127.0.0.1 port=" + primary.port + " user=postgres'";
        Path log = folder.resolve("copy.log");
        Process copy = launch(
                log,
                List.of(
                        "sh",
                        "-c",
                        "cp -a \"$0\" \"$1\" && touch \"$1/standby.signal\" && echo \"$2\" >> \"$1/postgresql.auto.conf\"",
                        primary.data().toString(),
                        data().toString(),
                        follow));
        if (!waitFor(copy, TO_START) || copy.exitValue() != 0) {
            throw new IOException("the folder of the primary could not be copied:\n" + tail(log));
        }
    }

    /** Another process may take a free port before PostgreSQL does. The port is kept while the server is down. */
    private int startOnAFreePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            int free = StablePort.free();
            try {
                run(free);
                return free;
            } catch (IOException e) {
                if (attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    private synchronized void run(int onPort) throws IOException {
        Path log = folder.resolve("postgres.log");
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("bin/postgres").toString(), "-D", data().toString(), "-p", String.valueOf(onPort)));
        settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        long giveUpAt = System.nanoTime() + TO_START.toNanos();
        Process started = launch(log, command);
        process = started;
        while (!answers(onPort)) {
            if (waitFor(started, Duration.ofMillis(LOOK_AGAIN_MS))) {
                throw new IOException("PostgreSQL ended while it started:\n" + tail(log));
            }
            if (System.nanoTime() > giveUpAt) {
                kill();
                throw new IOException("PostgreSQL did not answer within " + TO_START.toSeconds() + " s:\n" + tail(log));
            }
        }
    }

    private Process launch(Path log, List<String> command) throws IOException {
        var builder = new ProcessBuilder(runAs.command(command));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        return builder.directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static boolean answers(int port) {
        var login = new Properties();
        login.setProperty("user", "postgres");
        login.setProperty("loginTimeout", "5");
        try (var connection = DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres", login)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Under runuser, the child process is the parent of the postmaster; the pid file names the postmaster. */
    private long postmaster(Process child) throws IOException {
        try (Stream<String> lines = Files.lines(data().resolve("postmaster.pid"))) {
            return Long.parseLong(lines.findFirst().orElseThrow().strip());
        } catch (NoSuchFileException e) {
            return child.pid();
        }
    }

    private static void signal(String name, long pid) throws IOException {
        waitFor(new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start(), TO_STOP);
    }

    private static boolean waitFor(Process process, Duration time) throws IOException {
        try {
            return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while PostgreSQL was waited for", e);
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }

    /** Kills it and deletes its folder. */
    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and this is the shutdown hook.
        }
        watch.destroyForcibly();
        kill();
        Folders.delete(folder);
    }

    private void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("could not clear away PostgreSQL in " + folder + ": " + e.getMessage());
        }
    }
}
