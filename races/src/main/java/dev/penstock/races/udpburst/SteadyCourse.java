package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A minute at 0.8 of the contestant's highest rate: measures loss and memory use. */
final class SteadyCourse extends DatagramCourse {
    private static final double SHARE_OF_HIGHEST = 0.8;

    SteadyCourse() {
        super(
                "steady",
                List.of(
                        UdpBurstContestants.C_MMSG,
                        UdpBurstContestants.CHANNEL,
                        UdpBurstContestants.NETTY,
                        UdpBurstContestants.INLINE,
                        UdpBurstContestants.FLOW),
                "lost cpu_us_per_tx",
                "lost drops wrong tps max_ms cpu_us_per_tx heap_peak_mb bytes_per_call");
        lasts(LoadTimes.ofMillis(0, 60_000), LoadTimes.ofMillis(0, 4_000), Duration.ZERO);
        goals(GoalRule.none("lost", "wrong"), GoalRule.most("heap_peak_mb", 64));
        goalsOf(UdpBurstContestants.INLINE, GoalRule.none("bytes_per_call"));
        rounds(1);
    }

    @Override
    String load(Effort effort) {
        return times(effort).measured().toSeconds()
                + " s at 0.8 of the contestant's highest rate without loss, measured just before";
    }

    @Override
    long buffer(String contestant) {
        return usualBuffer(contestant);
    }

    /** Includes the search for the highest rate. */
    @Override
    public Duration blockTime(Effort effort) {
        return SustainedCourse.search(effort)
                .step()
                .multipliedBy(30)
                .plus(SustainedCourse.search(effort).confirmation().multipliedBy(2))
                .plus(times(effort).measured());
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
        BurstOutcome outcome =
                pair.sender().rate(SHARE_OF_HIGHEST * highest, times(effort).measured());
        return result(pair.metrics(outcome), outcome);
    }
}
