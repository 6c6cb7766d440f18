package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A minute at 0.8 of the contestant's highest rate: measures loss and memory use. */
final class SteadyCourse extends DatagramCourse {
    private static final double SHARE_OF_HIGHEST = 0.8;
    private static final Duration FULL = Duration.ofSeconds(60);
    private static final Duration QUICK = Duration.ofSeconds(4);

    private static Duration lasting(Effort effort) {
        return effort == Effort.FULL ? FULL : QUICK;
    }

    @Override
    public String name() {
        return "steady";
    }

    @Override
    String load(Effort effort) {
        return lasting(effort).toSeconds()
                + " s at 0.8 of the contestant's highest rate without loss, measured just before";
    }

    @Override
    Stream<UdpBurstContestants> contestants() {
        return Stream.of(
                UdpBurstContestants.C_MMSG,
                UdpBurstContestants.CHANNEL,
                UdpBurstContestants.NETTY,
                UdpBurstContestants.INLINE,
                UdpBurstContestants.FLOW);
    }

    /** Penstock runs with its default buffer, as it does when nothing is configured. */
    @Override
    long buffer(UdpBurstContestants contestant) {
        return contestant.isOurs() ? UdpBurstContestants.OWN_CHOICE : contestant.buffer();
    }

    @Override
    public List<String> judged() {
        return List.of("lost", "cpu_us_per_tx");
    }

    @Override
    public List<String> shown() {
        return List.of("lost", "drops", "wrong", "tps", "max_ms", "cpu_us_per_tx", "heap_peak_mb", "bytes_per_call");
    }

    @Override
    public int rounds() {
        return 1;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return SustainedCourse.search(effort)
                .step()
                .multipliedBy(30)
                .plus(SustainedCourse.search(effort).confirmation().multipliedBy(2))
                .plus(lasting(effort));
    }

    @Override
    BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException {
        double highest = SustainedCourse.search(effort)
                .search(SustainedCourse.FROM, 0, pair.sender()::rate)
                .rate();
        if (highest == 0) {
            throw new IOException("no rate without loss was found");
        }
        pair.begin();
        BurstOutcome outcome = pair.sender().rate(SHARE_OF_HIGHEST * highest, lasting(effort));
        return result(pair.metrics(outcome), outcome);
    }
}
