package dev.penstock.races.udpburst;

import dev.penstock.races.machine.Cores;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A contestant in its process, from the runner's side. For one thread. */
final class Server implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final int port;
    private final long buffer;

    private Server(Process process) throws IOException, InterruptedException {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.US_ASCII);
        this.in = process.outputWriter(StandardCharsets.US_ASCII);
        String[] said = line("port ").split(" ", -1);
        this.port = Integer.parseInt(said[0]);
        this.buffer = Long.parseLong(said[said.length - 1]);
    }

    /**
     * Starts one, and returns when it listens.
     *
     * @param command of its process
     * @param cores on which it shall be
     */
    static Server start(List<String> command, Cores cores) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(cores.ofServer());
        whole.addAll(command);
        Process process = new ProcessBuilder(whole)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return new Server(process);
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Where it listens. */
    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** The receive buffer that it said it has, in bytes of the kernel's memory; 0 when it did not say. */
    long buffer() {
        return buffer;
    }

    /** What the kernel dropped at its sockets so far. */
    OptionalLong dropped() throws IOException {
        return SocketDrops.at(port);
    }

    /** What it used before now does not count. */
    void begin() throws IOException, InterruptedException {
        say("begin");
        line("begun");
    }

    /** What it did so far. */
    ServerCounts counts() throws IOException, InterruptedException {
        say("counts");
        return ServerCounts.read(line("counts "));
    }

    private void say(String word) throws IOException {
        in.write(word);
        in.newLine();
        in.flush();
    }

    /** What follows this beginning in its next line; a server that hangs is ended. */
    private String line(String beginning) throws IOException, InterruptedException {
        FutureTask<@Nullable String> reading = new FutureTask<>(out::readLine);
        Thread.ofVirtual().start(reading);
        try {
            String line = reading.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null || !line.startsWith(beginning)) {
                throw new IOException("the server " + (line == null ? "ended" : "said " + line));
            }
            return line.substring(beginning.length());
        } catch (TimeoutException e) {
            throw new IOException("the server said nothing for " + PATIENCE_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("the server ended: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
