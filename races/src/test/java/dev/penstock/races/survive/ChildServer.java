package dev.penstock.races.survive;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import dev.penstock.kit.program.RestartableServer;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A server in its own JVM. It prints a line once it accepts requests, and exits when its standard input is closed.
 *
 * <p>Thread-safe.
 */
abstract class ChildServer implements RestartableServer {
    private final int port;
    private @Nullable Process process;
    private @Nullable SuspendedProcess suspended;

    /** Creates a server that is not running yet. */
    ChildServer() throws IOException {
        this.port = StablePort.free();
    }

    /** The command that starts its process. */
    abstract ProcessBuilder command() throws IOException;

    /** What its process printed last, for the message of a failed start; empty if that is on our own standard error. */
    String lastLines() throws IOException {
        return "";
    }

    @Override
    public final int port() {
        return port;
    }

    /** The exit code of its process; empty while it is running, or if it was killed by {@link #kill}. */
    final synchronized OptionalInt exitCode() {
        return process == null || process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
    }

    /** The id of its process. */
    final synchronized long pid() throws IOException {
        if (process == null) {
            throw new IOException("the server on port " + port + " is not running");
        }
        return process.pid();
    }

    @Override
    public final synchronized void kill() throws IOException {
        if (process != null) {
            Programs.kill(process);
            process = null;
            resume();
        }
    }

    @Override
    public final synchronized void restart() throws IOException {
        kill();
        Process started = command().start();
        process = started;
        BufferedReader out = started.inputReader(StandardCharsets.UTF_8);
        if (out.readLine() == null) {
            throw new IOException("a server did not start on port %d; its process ended with code %d%s"
                    .formatted(port, started.onExit().join().exitValue(), lastLines()));
        }
    }

    @Override
    public final synchronized void suspend() throws IOException {
        if (process != null && suspended == null) {
            suspended = SuspendedProcess.suspend(process);
        }
    }

    @Override
    public final synchronized void resume() throws IOException {
        if (suspended != null) {
            suspended.close();
            suspended = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        kill();
    }
}
