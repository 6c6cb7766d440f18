package dev.penstock.races.udpburst;

import dev.penstock.lab.measure.KernelSockets;
import dev.penstock.races.machine.Cores;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A contestant's process, as seen by the runner. Not thread-safe. */
final class Server implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 30;

    private final Process process;
    private final BufferedReader out;
    private final BufferedWriter in;
    private final int port;
    private final long buffer;

    private Server(Process process) throws IOException, InterruptedException {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.US_ASCII);
        this.in = process.outputWriter(StandardCharsets.US_ASCII);
        String[] values = line("port ").split(" ", -1);
        this.port = Integer.parseInt(values[0]);
        this.buffer = Long.parseLong(values[values.length - 1]);
    }

    /**
     * Starts a server and returns when it listens.
     *
     * @param command the command of its process
     * @param cores the cores to pin it to
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

    /** The server's address. */
    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /**
     * The size of its receive buffer in bytes of kernel memory, as reported by the server; 0 if it does not report it.
     */
    long buffer() {
        return buffer;
    }

    /** The number of datagrams that the kernel dropped at its sockets so far. */
    OptionalLong dropped() {
        return KernelSockets.dropped(address());
    }

    /** Resets the server's resource counters. */
    void begin() throws IOException, InterruptedException {
        send("begin");
        line("begun");
    }

    /** The server's counters. */
    ServerCounts counts() throws IOException, InterruptedException {
        send("counts");
        return ServerCounts.read(line("counts "));
    }

    private void send(String word) throws IOException {
        in.write(word);
        in.newLine();
        in.flush();
    }

    /**
     * Reads the next line, which must start with a prefix, and returns the rest. Fails after a timeout if the
     * server hangs.
     */
    private String line(String prefix) throws IOException, InterruptedException {
        FutureTask<@Nullable String> reading = new FutureTask<>(out::readLine);
        Thread.ofPlatform().daemon().start(reading);
        try {
            String line = reading.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (line == null || !line.startsWith(prefix)) {
                throw new IOException(line == null ? "the server exited" : "unexpected line from the server: " + line);
            }
            return line.substring(prefix.length());
        } catch (TimeoutException e) {
            throw new IOException("no line from the server for " + TIMEOUT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new IOException("cannot read from the server: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /**
     * The counters that a server reported.
     *
     * @param values by name as in {@link ServerMain}
     */
    record ServerCounts(Map<String, Long> values) {
        /** The prefix of the name of a drop counter; the place follows. */
        static final String DROPPED = "dropped.";

        ServerCounts {
            values = Map.copyOf(values);
        }

        /** Parses text such as {@code received=9 answered=8}. */
        static ServerCounts read(String text) {
            Map<String, Long> counts = new TreeMap<>();
            for (String part : text.strip().split(" ", -1)) {
                int equals = part.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("unexpected counts from a server: " + text);
                }
                counts.put(part.substring(0, equals), Long.valueOf(part.substring(equals + 1)));
            }
            return new ServerCounts(counts);
        }

        long received() {
            return values.getOrDefault("received", 0L);
        }

        long answered() {
            return values.getOrDefault("answered", 0L);
        }

        /** A value that not every server reports. */
        OptionalLong value(String name) {
            Long number = values.get(name);
            return number == null || number < 0 ? OptionalLong.empty() : OptionalLong.of(number);
        }

        /** The datagrams dropped since an earlier reading, by place; empty if the server does not count them. */
        Map<String, Long> droppedSince(ServerCounts before) {
            Map<String, Long> dropped = new TreeMap<>();
            values.forEach((name, count) -> {
                if (name.startsWith(DROPPED)) {
                    dropped.put(name.substring(DROPPED.length()), count - before.values.getOrDefault(name, 0L));
                }
            });
            return dropped;
        }
    }
}
