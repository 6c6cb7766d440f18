package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Provokes loss, and checks whether every unanswered datagram is counted, and where. */
final class SmallBufferCourse extends DatagramCourse {
    /** The receive buffer in bytes of kernel memory. */
    private static final long SMALL = 65_536;

    private static final int SIZE = 10_000;
    private static final int BURSTS = 5;
    private static final int QUICK_BURSTS = 2;
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private static int bursts(Effort effort) {
        return effort == Effort.FULL ? BURSTS : QUICK_BURSTS;
    }

    @Override
    public String name() {
        return "small-buffer";
    }

    @Override
    String load(Effort effort) {
        return bursts(effort)
                + " bursts of 10,000 at the sender's full speed, with a receive buffer for 28 of them; each unanswered"
                + " datagram must be counted: by the server, or, if it has no counter, by the kernel";
    }

    @Override
    Stream<UdpBurstContestants> contestants() {
        return Stream.of(UdpBurstContestants.CHANNEL, UdpBurstContestants.INLINE, UdpBurstContestants.FLOW);
    }

    @Override
    long buffer(UdpBurstContestants contestant) {
        return SMALL;
    }

    @Override
    public List<String> judged() {
        return List.of("uncounted");
    }

    @Override
    public List<String> shown() {
        return List.of("uncounted", "count", "lost", "drops", "at_socket", "in_ring", "in_handler", "sending", "wrong");
    }

    @Override
    public int rounds() {
        return 3;
    }

    @Override
    public boolean measuresNoise() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return Duration.ofSeconds(4 + 2L * bursts(effort));
    }

    @Override
    BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException {
        pair.begin();
        return accounted(pair, pair.sender().bursts(SIZE, bursts(effort), INTERVAL));
    }

    /** The number of unanswered datagrams, and the counters that account for them. */
    static BlockResult accounted(ServerAndSender pair, BurstOutcome outcome) throws IOException, InterruptedException {
        Map<String, Double> metrics = pair.metrics(outcome);
        Map<String, Long> places = pair.droppedByPlace();
        metrics.put("at_socket", (double) places.getOrDefault("socket", 0L));
        metrics.put("in_ring", (double) places.getOrDefault("ring", 0L));
        metrics.put("in_handler", (double) places.getOrDefault("handler", 0L));
        metrics.put("sending", (double) places.getOrDefault("send", 0L));
        metrics.put("uncounted", uncounted(metrics, places));
        return result(metrics, outcome);
    }

    /**
     * The absolute difference between the counters and the sender's loss. Ignores the network card's counter, because
     * loopback traffic does not pass through it.
     */
    static double uncounted(Map<String, Double> metrics, Map<String, Long> places) {
        double counted = places.isEmpty()
                ? metrics.getOrDefault("drops", 0.0)
                : places.entrySet().stream()
                        .filter(place -> !place.getKey().equals("card"))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        return Math.abs(metrics.getOrDefault("lost", 0.0) - counted);
    }
}
