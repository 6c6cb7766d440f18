package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Many at once, then nothing: what the receive buffer is for. */
final class BurstCourse extends DatagramCourse {
    private static final int SIZE = 10_000;
    private static final int BURSTS = 10;
    private static final int QUICK_BURSTS = 3;

    /** From the beginning of one to that of the next: it is sent in some 50 ms. */
    private static final Duration EVERY = Duration.ofMillis(1_050);

    private static int bursts(Effort effort) {
        return effort == Effort.FULL ? BURSTS : QUICK_BURSTS;
    }

    @Override
    public String name() {
        return "bursts";
    }

    @Override
    String load(Effort effort) {
        return bursts(effort) + " bursts of 10,000 as fast as the sender can, 1 s of rest after each";
    }

    @Override
    Stream<UdpBurstContestants> contestants() {
        return Stream.of(UdpBurstContestants.values());
    }

    /** Ours as it is while nobody sets anything. */
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
        return EVERY.multipliedBy(bursts(effort)).plusSeconds(4);
    }

    @Override
    BlockResult run(ServerAndSender duel, Effort effort) throws IOException, InterruptedException {
        duel.begin();
        BurstOutcome shot = duel.sender().bursts(SIZE, bursts(effort), EVERY);
        Map<String, Double> metrics = duel.metrics(shot);
        metrics.keySet().removeAll(List.of("tps", "pps")); // of bursts and rests together
        return result(metrics, shot);
    }
}
