package dev.penstock.races.udpburst;

import dev.penstock.races.machine.Cores;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A contestant's server and the sender, warm. Figures are of what was sent since the last {@link #begin}. For one thread. */
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
     * Starts both, and lets code be compiled.
     *
     * @param buffer of the server, bytes of the kernel's memory, {@link UdpBurstContestants#OWN_CHOICE} for its own
     */
    static ServerAndSender of(UdpBurstContestants contestant, long buffer, Duration warmUp) throws IOException, InterruptedException {
        Cores cores = Cores.here();
        Server server = Server.start(contestant.command(buffer), cores);
        BurstSender sender = null;
        try {
            sender = BurstSender.to(server.address(), cores);
            sender.rate(WARM_UP_RATE, warmUp);
            return new ServerAndSender(server, sender);
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (sender != null) {
                sender.close();
            }
            server.close();
            throw e;
        }
    }

    BurstSender sender() {
        return sender;
    }

    /** What came before does not count. */
    void begin() throws IOException, InterruptedException {
        server.begin();
        before = server.counts();
        droppedBefore = dropped();
    }

    private long dropped() throws IOException {
        return server.dropped().orElse(0);
    }

    /** What came of what was sent since, and what the server used for it. */
    Map<String, Double> metrics(BurstOutcome shot) throws IOException, InterruptedException {
        ServerCounts now = server.counts();
        long received = Math.max(1, now.received() - before.received());
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("tps", shot.answered() * shot.rate() / Math.max(1, shot.sent()));
        metrics.put("pps", shot.rate());
        metrics.put("count", (double) shot.sent());
        metrics.put("lost", (double) shot.lost());
        metrics.put("lost_percent", 100.0 * shot.lost() / Math.max(1, shot.sent()));
        metrics.put("wrong", (double) shot.wrong());
        metrics.put("drops", (double) (dropped() - droppedBefore));
        if (shot.maxMs() >= 0) {
            metrics.put("max_ms", shot.maxMs());
        }
        now.told("cpu_ns").ifPresent(nanos -> metrics.put("cpu_us_per_tx", nanos / 1e3 / received));
        now.told("heap_peak").ifPresent(bytes -> metrics.put("heap_peak_mb", bytes / 1e6));
        // No object has a part of a byte: what is left of one is of looking at counters now and then, not of datagrams.
        now.told("allocated")
                .ifPresent(bytes -> metrics.put("bytes_per_call", (double) Math.floorDiv(bytes, received)));
        if (server.buffer() > 0) {
            metrics.put("buffer_mb", server.buffer() / 1e6);
        }
        return metrics;
    }

    /** What the server says it dropped since, by place; empty when it does not count. */
    Map<String, Long> droppedByPlace() throws IOException, InterruptedException {
        return server.counts().droppedSince(before);
    }

    @Override
    public void close() {
        sender.close();
        server.close();
    }
}
