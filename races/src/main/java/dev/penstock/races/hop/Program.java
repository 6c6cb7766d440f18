package dev.penstock.races.hop;

import dev.penstock.kit.program.Programs;
import dev.penstock.lab.measure.ChildProbe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server in its own process, with a folder for its files. Not thread-safe. */
final class Program implements AutoCloseable {
    private static final long START_TIMEOUT = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL = TimeUnit.MILLISECONDS.toNanos(20);

    private final Process process;
    private final Path output;
    private final int port;

    private Program(Process process, Path output, int port) {
        this.process = process;
        this.output = output;
        this.port = port;
    }

    /** The path of an installed program. */
    static String path(String program) throws IOException {
        return Programs.find(program).orElseThrow(() -> new IOException(Programs.missing(program)));
    }

    /**
     * Starts a server and returns when it listens.
     *
     * @param core the command prefix that pins it to a core
     * @param command the command of its process
     * @param folder its working directory
     * @param port the port that it will listen on
     */
    static Program start(List<String> core, List<String> command, Path folder, int port)
            throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(core);
        whole.addAll(command);
        Path output = folder.resolve("output");
        Program program = new Program(
                new ProcessBuilder(whole)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output,
                port);
        try {
            program.awaitPort();
            return program;
        } catch (IOException | InterruptedException e) {
            program.close();
            throw e;
        }
    }

    private void awaitPort() throws IOException, InterruptedException {
        long until = System.nanoTime() + START_TIMEOUT;
        while (process.isAlive() && System.nanoTime() < until) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(POLL);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while starting a server");
            }
        }
        throw new IOException(process.info().command().orElse("a contestant") + " does not listen: " + lastLine());
    }

    private String lastLine() throws IOException {
        List<String> lines = Files.readAllLines(output);
        return lines.isEmpty() ? "no output" : lines.getLast();
    }

    int port() {
        return port;
    }

    /** Starts to record its resource use. */
    ChildProbe probe(String name) {
        return ChildProbe.start(name, process.pid());
    }

    /** Kills it and waits until it has exited. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
