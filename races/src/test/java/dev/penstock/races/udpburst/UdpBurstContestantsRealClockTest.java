package dev.penstock.races.udpburst;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each contestant answers correctly, in its own process, and reports its counts. */
@Timeout(60)
@NeedsProgram("gcc")
class UdpBurstContestantsRealClockTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    /** Fewer than the smallest buffer of all contestants holds. */
    private static final int FEW = 80;

    private static final int MANY = 2_000;

    /** The two plain-socket servers differ only in their buffer. */
    static Stream<String> different() {
        return UdpBurstContestants.ALL.names().stream().filter(name -> !name.equals(UdpBurstContestants.PLAIN_70MB));
    }

    @ParameterizedTest
    @MethodSource("different")
    void answersAndCountsEveryDatagram(String contestant) throws Exception {
        long buffer = UdpBurstContestants.ALL.named(contestant).buffer();
        try (ServerAndSender pair = ServerAndSender.of(contestant, buffer, SHORT)) {
            pair.begin();
            BurstOutcome shot = pair.sender().bursts(FEW, 1, SHORT);
            Map<String, Double> metrics = pair.metrics(shot);

            assertThat(shot.sent()).isPositive();
            assertThat(shot)
                    .extracting(BurstOutcome::answered, BurstOutcome::lost, BurstOutcome::wrong)
                    .containsExactly(shot.sent(), 0L, 0L);
            assertThat(metrics)
                    .containsEntry("lost", 0.0)
                    .containsEntry("drops", 0.0)
                    .containsKey("cpu_us_per_tx");
        }
    }

    @Test
    void countsForcedLosses() throws Exception {
        BurstCourse course = BurstCourse.intoASmallBuffer();
        try (ServerAndSender pair =
                ServerAndSender.of(UdpBurstContestants.INLINE, course.buffer(UdpBurstContestants.INLINE), SHORT)) {
            pair.begin();
            Map<String, Double> metrics =
                    BurstCourse.accounted(pair, pair.sender().bursts(MANY, 1, SHORT));

            assertThat(metrics).containsEntry("uncounted", 0.0).containsEntry("wrong", 0.0);
        }
    }
}
