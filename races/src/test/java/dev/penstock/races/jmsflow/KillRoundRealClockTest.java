package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.races.jmsflow.KillRound.Who;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One kill of each kind; the race has twenty, with ten times as many messages. */
@Timeout(60)
class KillRoundRealClockTest {
    private static final int MESSAGES = 2_000;

    private static BrokerProcess broker;

    @BeforeAll
    static void start() throws Exception {
        broker = BrokerProcess.start();
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyMessageTakesEffectOnce(Who killed) throws Exception {
        KillRound round = KillRound.run(broker, killed, MESSAGES, 7);

        assertThat(round.at()).as(round.describe()).isBetween(MESSAGES / 5, MESSAGES - 1);
        assertThat(round.lost()).as(round.describe()).isZero();
        assertThat(round.repeated()).as(round.describe()).isZero();
        assertThat(round.deadLetters()).as(round.describe()).isZero();
        assertThat(round.inFlight()).as(round.describe()).isBetween(1, JmsFlowContestants.BOUND);
        assertThat(round.beyondInFlight()).as(round.describe()).isZero();
    }
}
