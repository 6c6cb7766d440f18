package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Bursts followed by pauses: the case that a receive buffer is for. */
final class BurstCourse extends DatagramCourse {
    private static final int SIZE = 10_000;
    private static final int BURSTS = 10;
    private static final int QUICK_BURSTS = 3;

    /** The interval between the starts of two bursts. Sending a burst takes about 50 ms. */
    private static final Duration INTERVAL = Duration.ofMillis(1_050);

    private static int bursts(Effort effort) {
        return effort == Effort.FULL ? BURSTS : QUICK_BURSTS;
    }

    @Override
    public String name() {
        return "bursts";
    }

    @Override
    String load(Effort effort) {
        return bursts(effort) + " bursts of 10,000 at the sender's full speed, each followed by a pause of 1 s";
    }

    @Override
    Stream<UdpBurstContestants> contestants() {
        return Stream.of(UdpBurstContestants.values());
    }

    /** Penstock runs with its default buffer, as it does when nothing is configured. */
    @Override
    long buffer(UdpBurstContestants contestant) {
        return contestant.isOurs() ? UdpBurstContestants.OWN_CHOICE : contestant.buffer();
    }

    @Override
    public List<String> judged() {
        return List.of("lost", "max_ms");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "lost",
                "lost_percent",
                "drops",
                "wrong",
                "max_ms",
                "cpu_us_per_tx",
                "heap_peak_mb",
                "bytes_per_call",
                "buffer_mb");
    }

    @Override
    public Duration blockTime(Effort effort) {
        return INTERVAL.multipliedBy(bursts(effort)).plusSeconds(4);
    }

    @Override
    BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException {
        pair.begin();
        BurstOutcome outcome = pair.sender().bursts(SIZE, bursts(effort), INTERVAL);
        Map<String, Double> metrics = pair.metrics(outcome);
        metrics.keySet().removeAll(List.of("tps", "pps")); // they would include the pauses
        return result(metrics, outcome);
    }
}
