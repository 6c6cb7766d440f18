package dev.penstock.races.udpburst;

import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.measure.ProcessUse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The process of a contestant on the JVM. It exchanges lines with the runner, as {@code echo.c} does, and exits when
 * its standard input is closed.
 * <pre>
 *   server --> runner   port 40123 buffer 73400320
 *   runner --> server   begin                           resets the resource counters
 *   server --> runner   begun
 *   runner --> server   counts
 *   server --> runner   counts answered=9 cpu_ns=8 ...  received, answered: since the start; all others: since the last begin
 * </pre>
 */
final class ServerMain {
    private ServerMain() {}

    /**
     * Runs a server.
     *
     * @param args the contestant, and its receive buffer in bytes of kernel memory, 0 for its default
     */
    @SuppressWarnings("IllegalCatch") // every failure is reported to the runner
    public static void main(String[] args) {
        PrintStream out = System.out;
        System.setOut(System.err);
        try {
            EchoServer server = start(args[0], Long.parseLong(args[1]));
            out.println("port " + server.port() + " buffer " + server.buffer());
            serve(server, out);
        } catch (Throwable e) {
            out.println("failed: " + e);
        }
        Runtime.getRuntime().halt(0); // contestants may leave threads behind
    }

    /** A library is loaded only when its contestant is created. */
    private static EchoServer start(String kind, long buffer) throws Exception {
        return switch (kind) {
            case "socket" -> new SocketServer(buffer);
            case "channel" -> new ChannelServer(buffer);
            case "netty" -> new NettyServer(buffer);
            case "inline" -> PenstockServer.inline(buffer);
            case "flow" -> PenstockServer.flow(buffer);
            default -> throw new IllegalArgumentException("unknown server " + kind);
        };
    }

    /** The size to request from Java, which the kernel doubles. */
    static int requestedSize(long buffer) {
        return (int) (buffer / 2);
    }

    private static void serve(EchoServer server, PrintStream out) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        ProcessProbe probe = ProcessProbe.start();
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("begin")) {
                    probe.close();
                    System.gc(); // so that the peak does not include the startup
                    probe = ProcessProbe.start();
                    out.println("begun");
                } else if (line.equals("counts")) {
                    out.println("counts " + format(server, probe.soFar()));
                }
            }
        } finally {
            probe.close();
        }
    }

    private static String format(EchoServer server, ProcessUse use) {
        Map<String, Long> counts = new TreeMap<>(server.counts());
        counts.put("cpu_ns", use.cpuNanos());
        counts.put("heap_peak", use.heapPeak());
        counts.put("allocated", use.allocatedBytes());
        return counts.entrySet().stream()
                .map(count -> count.getKey() + "=" + count.getValue())
                .collect(Collectors.joining(" "));
    }
}
