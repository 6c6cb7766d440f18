package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Loss by force: whether every datagram that is not answered is counted, and where. */
final class SmallBufferCourse extends DatagramCourse {
    /** Bytes of the kernel's memory. */
    private static final long SMALL = 65_536;

    private static final int SIZE = 10_000;
    private static final int BURSTS = 5;
    private static final int QUICK_BURSTS = 2;
    private static final Duration EVERY = Duration.ofSeconds(1);

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
                + " bursts of 10,000 as fast as the sender can, at a receive buffer that holds 28 of them; what is"
                + " not answered has to be in a counter: one of the server's own, or, where it has none, the kernel's";
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
    BlockResult run(ServerAndSender duel, Effort effort) throws IOException, InterruptedException {
        duel.begin();
        return accounted(duel, duel.sender().bursts(SIZE, bursts(effort), EVERY));
    }

    /** What is not answered, and the counters it is in. */
    static BlockResult accounted(ServerAndSender duel, BurstOutcome shot) throws IOException, InterruptedException {
        Map<String, Double> metrics = duel.metrics(shot);
        Map<String, Long> places = duel.droppedByPlace();
        metrics.put("at_socket", (double) places.getOrDefault("socket", 0L));
        metrics.put("in_ring", (double) places.getOrDefault("ring", 0L));
        metrics.put("in_handler", (double) places.getOrDefault("handler", 0L));
        metrics.put("sending", (double) places.getOrDefault("send", 0L));
        metrics.put("uncounted", uncounted(metrics, places));
        return result(metrics, shot);
    }

    /** How far the counters are from what the sender knows, to either side. No card carries what goes over loopback. */
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
