package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.races.jmsflow.KillRound.Who;
import dev.penstock.races.messages.ConsumeCourse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The consumer's or the broker's process is killed at a random moment: every message takes effect once, and no more are
 * redelivered than were in flight. CONTRIBUTING.md has the command for more rounds.
 */
class KillRoundRealClockTest {
    private static final int MESSAGES = Integer.getInteger("kill.messages", 2_000);
    private static final int ROUNDS = Integer.getInteger("kill.rounds", 1);
    private static final int FIRST_SEED = 7;

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
        for (int seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
            KillRound round = KillRound.run(broker, killed, MESSAGES, seed);

            assertThat(round.at()).as(round.describe()).isBetween(MESSAGES / 5, MESSAGES - 1);
            assertThat(round.lost()).as(round.describe()).isZero();
            assertThat(round.repeated()).as(round.describe()).isZero();
            assertThat(round.deadLetters()).as(round.describe()).isZero();
            assertThat(round.inFlight()).as(round.describe()).isBetween(1, ConsumeCourse.BOUND);
            assertThat(round.beyondInFlight()).as(round.describe()).isZero();
        }
    }
}
