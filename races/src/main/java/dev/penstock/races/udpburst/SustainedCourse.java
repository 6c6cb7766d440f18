package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.machine.Cores;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sustained throughput: the highest rate without loss, and the highest with less than 0.1 % loss. */
final class SustainedCourse extends DatagramCourse {
    static final HighestRate FULL = new HighestRate(Duration.ofMillis(700), Duration.ofSeconds(5), 0.02);
    static final HighestRate QUICK = new HighestRate(Duration.ofMillis(400), Duration.ofSeconds(1), 0.05);

    /** The initial rate of the search, per second. */
    static final double FROM = 40_000;

    private static final double LITTLE_LOSS = 0.001;

    static HighestRate search(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
    }

    SustainedCourse() {
        super(
                "sustained",
                UdpBurstContestants.ALL.names(),
                "pps",
                "pps pps_little_loss sender_pps sender_bound cpu_us_per_tx heap_peak_mb bytes_per_call");
        goalsOf(
                UdpBurstContestants.INLINE,
                GoalRule.times("pps", UdpBurstContestants.C_MMSG, 0.85),
                GoalRule.times("pps", UdpBurstContestants.NETTY, 1),
                GoalRule.times("pps", UdpBurstContestants.CHANNEL, 1),
                GoalRule.times("pps", UdpBurstContestants.PLAIN_70MB, 1),
                GoalRule.times("pps", UdpBurstContestants.PLAIN_DEFAULT, 3));
        goalsOf(UdpBurstContestants.FLOW, GoalRule.times("pps", UdpBurstContestants.C_MMSG, 0.4));
    }

    @Override
    String load(Effort effort) {
        return "the highest constant rate without loss (packets/s) and with less than 0.1 % loss, searched to within "
                + Math.round(100 * search(effort).tolerance()) + " % and confirmed for "
                + search(effort).confirmation().toSeconds() + " s";
    }

    @Override
    long buffer(String contestant) {
        return UdpBurstContestants.ALL.named(contestant).buffer();
    }

    @Override
    public Duration blockTime(Effort effort) {
        return search(effort)
                .step()
                .multipliedBy(50)
                .plus(search(effort).confirmation().multipliedBy(3));
    }

    @Override
    BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException {
        HighestRate.Trial sending = (rate, lasting) -> {
            pair.begin();
            return pair.sender().rate(rate, lasting);
        };
        HighestRate.Found none = search(effort).search(FROM, 0, sending);
        BurstOutcome confirmed = none.confirmed();
        // Report the metrics of the run that confirmed the rate: another run at the same rate may lose some.
        Map<String, Double> metrics = new LinkedHashMap<>(confirmed == null ? Map.of() : pair.metrics(confirmed));
        HighestRate.Found little = search(effort).search(Math.max(1_000, none.rate()), LITTLE_LOSS, sending);
        metrics.put("pps", none.rate());
        metrics.put("pps_little_loss", Math.max(none.rate(), little.rate()));
        metrics.put("sender_pps", BurstSender.maxRate(Cores.here()));
        metrics.put("sender_bound", none.senderBound() ? 1.0 : 0);
        return BlockResult.of(metrics);
    }
}
