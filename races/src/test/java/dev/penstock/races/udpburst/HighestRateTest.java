package dev.penstock.races.udpburst;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.datagram.LossSearch.Seen;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HighestRateTest {
    private static final HighestRate SEARCH = new HighestRate(Duration.ofMillis(700), Duration.ofSeconds(5), 0.02);
    private static final double FROM = 40_000;

    private int shots;

    /** A server with a maximum rate and a buffer in front of it. */
    private HighestRate.Trial server(double capacity, double buffer) {
        return (rate, lasting) -> {
            shots++;
            double sent = rate * lasting.toMillis() / 1e3;
            double beyond = Math.max(0, sent - capacity * lasting.toMillis() / 1e3);
            return shot(sent, Math.max(0, beyond - buffer), Math.min(beyond, buffer), rate);
        };
    }

    private static BurstOutcome shot(double sent, double lost, double waiting, double rate) {
        return shot(sent, lost, waiting, rate, null);
    }

    private static BurstOutcome shot(
            double sent, double lost, double waiting, double rate, @Nullable String senderProblem) {
        return new BurstOutcome(
                (long) sent, (long) (sent - lost), (long) lost, 0, (long) (waiting + lost), rate, 1, 0, senderProblem);
    }

    @Test
    void findsTheHighestRateFromBelowAndFromAbove() throws Exception {
        assertThat(SEARCH.search(FROM, 0, server(247_000, 100)).rate()).isBetween(235_000.0, 248_000.0);
        assertThat(SEARCH.search(FROM, 0, server(9_000, 100)).rate()).isBetween(8_500.0, 9_100.0);
        assertThat(SEARCH.search(FROM, 0, server(247_000, 100)).senderBound()).isFalse();
    }

    @Test
    void largeBufferDoesNotHideASlowServer() throws Exception {
        assertThat(SEARCH.search(FROM, 0, server(100_000, 1e9)).rate()).isBetween(95_000.0, 102_000.0);
    }

    @Test
    void mayAllowALittleLoss() throws Exception {
        HighestRate.Trial leaking = (rate, lasting) -> {
            double sent = rate * lasting.toMillis() / 1e3;
            return shot(sent, rate > 50_000 ? sent * 0.0005 : 0, 0, rate);
        };
        HighestRate.Trial bounded =
                (rate, lasting) -> rate > 80_000 ? server(80_000, 0).at(rate, lasting) : leaking.at(rate, lasting);

        assertThat(SEARCH.search(FROM, 0, bounded).rate()).isBetween(48_000.0, 50_000.0);
        assertThat(SEARCH.search(FROM, 0.001, bounded).rate()).isBetween(78_000.0, 80_000.0);
    }

    @Test
    void oneStallOfTheMachineDoesNotMatter() throws Exception {
        HighestRate.Trial server = server(200_000, 100);
        HighestRate.Trial stalling = (rate, lasting) -> {
            BurstOutcome shot = server.at(rate, lasting);
            return shots % 3 == 1 ? shot((double) shot.sent(), 50, 0, rate) : shot;
        };

        assertThat(SEARCH.search(FROM, 0, stalling).rate()).isBetween(190_000.0, 201_000.0);
    }

    @Test
    void distinguishesASlowSenderFromASlowServer() throws Exception {
        HighestRate.Trial late = (rate, lasting) ->
                shot(rate, 0, 0, Math.min(rate, 120_000), rate > 150_000 ? "the sender was too slow" : null);

        HighestRate.Found found = SEARCH.search(FROM, 0, late);

        assertThat(found.senderBound()).isTrue();
        assertThat(found.rate()).isBetween(115_000.0, 123_000.0);
    }

    @Test
    void serverThatAlwaysLosesHasNoRate() throws Exception {
        assertThat(SEARCH.search(FROM, 0, (rate, lasting) -> shot(rate, 1, 0, rate)))
                .isEqualTo(new HighestRate.Found(null, false));
    }

    @Test
    void reportsTheConfirmingRun() throws Exception {
        // Short runs succeed at rates that no longer run confirms.
        HighestRate.Trial lucky = (rate, lasting) -> lasting.equals(SEARCH.step())
                ? server(400_000, 0).at(rate, lasting)
                : server(90_000, 0).at(rate, lasting);

        HighestRate.Found found = SEARCH.search(FROM, 0, lucky);

        assertThat(found.rate()).isBetween(60_000.0, 90_000.0);
        BurstOutcome confirmed = Objects.requireNonNull(found.confirmed());
        assertThat(confirmed.lost()).isZero();
        assertThat(confirmed.sent()).isEqualTo((long) (found.rate() * 5));
    }

    @Test
    void wrongAnswersAndSenderDropsAreNoSuccess() {
        assertThat(HighestRate.classify(100, 0, new BurstOutcome(100, 99, 0, 1, 0, 100, 1, 0, null)))
                .isEqualTo(Seen.LOSSY);
        assertThat(HighestRate.classify(100, 0, new BurstOutcome(100, 99, 1, 0, 1, 100, 1, 1, null)))
                .isEqualTo(Seen.NOT_SENT);
        assertThat(HighestRate.classify(100, 0, new BurstOutcome(100, 100, 0, 0, 1, 100, 1, 0, null)))
                .isEqualTo(Seen.WELL);
    }
}
