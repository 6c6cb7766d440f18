package dev.penstock.kit.program;

import dev.penstock.Ticker;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Programs of the system that a test starts and ends. {@code -Dpenstock.programs=none} hides those that
 * may be missing: the keys of {@code packages.properties}.
 */
public final class Programs {
    private static final long TO_START_S = 120;
    private static final long TO_END_S = 60;
    private static final long LOOK_AGAIN_NS = 5_000_000;

    private static final boolean HIDDEN = "none".equals(System.getProperty("penstock.programs"));
    static final Properties PACKAGES = packages();

    private Programs() {}

    private static Properties packages() {
        Properties packages = new Properties();
        try (InputStream in = Programs.class.getResourceAsStream("packages.properties")) {
            packages.load(Objects.requireNonNull(in, "packages.properties"));
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
        return packages;
    }

    /** The path of a program; empty where it is missing or hidden. */
    public static Optional<String> find(String program) {
        if (HIDDEN && PACKAGES.containsKey(program)) {
            return Optional.empty();
        }
        Stream<String> path = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""));
        // Where servers are installed; not in the PATH of users on every system.
        return Stream.concat(path, Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString);
    }

    /**
     * The path of a program.
     *
     * @throws IllegalStateException it is missing; a test that needs one that may be missing has {@link NeedsProgram}
     */
    public static String path(String program) {
        return find(program).orElseThrow(() -> new IllegalStateException(missing(program)));
    }

    /** Says how to install a program. */
    public static String missing(String program) {
        return program + " was not found, on Debian: apt-get install " + PACKAGES.getProperty(program, program);
    }

    /**
     * Starts one.
     *
     * @param log gets its output
     */
    public static Process started(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /**
     * Starts a server, and waits until it serves.
     *
     * @param log gets its output
     * @param serves whether it serves
     * @throws IOException it ended, or did not serve within two minutes; with its output
     */
    public static Process serving(List<String> command, Path log, BooleanSupplier serves) throws IOException {
        Process server = started(command, log);
        long until = Ticker.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(TO_START_S);
        while (!serves.getAsBoolean()) {
            if (!server.isAlive() || Ticker.SYSTEM.nanos() > until) {
                kill(server);
                throw new IOException(command.getFirst() + " did not start:\n" + Files.readString(log));
            }
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
        return server;
    }

    /** Whether a port of the loopback interface accepts connections. */
    public static boolean isListening(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    /** kill -9 of one and its children; waits until it is gone. */
    public static void kill(Process program) throws IOException {
        List<ProcessHandle> all = Stream.concat(program.descendants(), Stream.of(program.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        try {
            if (!program.waitFor(TO_END_S, TimeUnit.SECONDS)) {
                throw new IOException("a program outlived kill -9 for " + TO_END_S + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a program was waited for", e);
        }
    }
}
