package dev.penstock.races.udpburst;

import dev.penstock.races.machine.Cores;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import dev.penstock.races.udpburst.Server.ServerCounts;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A contestant's server and the sender, warmed up. Metrics cover what was sent since the last {@link #begin}.
 * Not thread-safe.
 */
final class ServerAndSender implements AutoCloseable {
    private static final double WARM_UP_RATE = 30_000;

    private final Server server;
    private final BurstSender sender;
    private ServerCounts before = new ServerCounts(Map.of());
    private long droppedBefore;

    private ServerAndSender(Server server, BurstSender sender) {
        this.server = server;
        this.sender = sender;
    }

    /**
     * Starts both and runs the warm-up.
     *
     * @param buffer the server's receive buffer in bytes of kernel memory, {@link UdpBurstContestants#OWN_CHOICE} for
     *     its default
     */
    static ServerAndSender of(String contestant, long buffer, Duration warmUp)
            throws IOException, InterruptedException {
        Cores cores = Cores.here();
        Server server =
                Server.start(UdpBurstContestants.ALL.named(contestant).command().with(buffer), cores);
        try {
            BurstSender sender = new BurstSender(server.address(), cores);
            sender.rate(WARM_UP_RATE, warmUp);
            return new ServerAndSender(server, sender);
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    BurstSender sender() {
        return sender;
    }

    /** Starts a measurement: discards everything before it. */
    void begin() throws IOException, InterruptedException {
        server.begin();
        before = server.counts();
        droppedBefore = dropped();
    }

    private long dropped() {
        return server.dropped().orElse(0);
    }

    /** The metrics of a measurement and of the server's resource use during it. */
    Map<String, Double> metrics(BurstOutcome outcome) throws IOException, InterruptedException {
        ServerCounts now = server.counts();
        long received = Math.max(1, now.received() - before.received());
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("tps", outcome.answered() * outcome.rate() / Math.max(1, outcome.sent()));
        metrics.put("pps", outcome.rate());
        metrics.put("count", (double) outcome.sent());
        metrics.put("lost", (double) outcome.lost());
        metrics.put("lost_percent", 100.0 * outcome.lost() / Math.max(1, outcome.sent()));
        metrics.put("wrong", (double) outcome.wrong());
        metrics.put("drops", (double) (dropped() - droppedBefore));
        if (outcome.maxMs() >= 0) {
            metrics.put("max_ms", outcome.maxMs());
        }
        now.value("cpu_ns").ifPresent(nanos -> metrics.put("cpu_us_per_tx", nanos / 1e3 / received));
        now.value("heap_peak").ifPresent(bytes -> metrics.put("heap_peak_mb", bytes / 1e6));
        // Rounds down: an allocation cannot be a fraction of a byte per datagram. The remainder comes from reading the
        // counters now and then.
        now.value("allocated")
                .ifPresent(bytes -> metrics.put("bytes_per_call", (double) Math.floorDiv(bytes, received)));
        if (server.buffer() > 0) {
            metrics.put("buffer_mb", server.buffer() / 1e6);
        }
        return metrics;
    }

    /**
     * The datagrams that the server reports as dropped during the measurement, by place; empty if it does not
     * count them.
     */
    Map<String, Long> droppedByPlace() throws IOException, InterruptedException {
        return server.counts().droppedSince(before);
    }

    @Override
    public void close() {
        server.close();
    }
}
