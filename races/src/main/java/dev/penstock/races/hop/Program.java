package dev.penstock.races.hop;

import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.races.machine.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server in a process of its own, with a folder for what it writes. For one thread. */
final class Program implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(20);

    private final Process process;
    private final Path said;
    private final int port;

    private Program(Process process, Path said, int port) {
        this.process = process;
        this.said = said;
        this.port = port;
    }

    /** Where a program of this machine is. */
    static String path(String program) throws IOException {
        return Tools.find(program)
                .orElseThrow(() -> new IOException(program + " was not found, on Debian: apt-get install " + program))
                .toString();
    }

    /** A port that was free just now. */
    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Starts one, and returns when it listens.
     *
     * @param core what to put before its command, to keep it there
     * @param command of its process
     * @param folder where it stands
     * @param port where it shall listen
     */
    static Program start(List<String> core, List<String> command, Path folder, int port)
            throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(core);
        whole.addAll(command);
        Path said = folder.resolve("said");
        Program program = new Program(
                new ProcessBuilder(whole)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start(),
                said,
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
        long until = System.nanoTime() + PATIENCE;
        while (process.isAlive() && System.nanoTime() < until) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(LOOK);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException("the race is over");
            }
        }
        throw new IOException(process.info().command().orElse("a contestant") + " does not listen: " + lastWords());
    }

    private String lastWords() throws IOException {
        List<String> lines = Files.readAllLines(said);
        return lines.isEmpty() ? "it does not say why" : lines.getLast();
    }

    int port() {
        return port;
    }

    /** Watches what it uses from now on. */
    ChildProbe probe(String name) {
        return ChildProbe.start(name, process.pid());
    }

    /** Ends it, and returns when it has ended. */
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
