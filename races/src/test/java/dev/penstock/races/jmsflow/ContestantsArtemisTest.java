package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.races.jmsflow.JmsFlowContestants.Consumer;
import dev.penstock.races.jmsflow.MessageWork.HandlerTime;
import dev.penstock.races.jmsflow.MessageWork.MessageAudit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each contestant handles every message once, within its limit of messages in flight. */
@Timeout(60)
class ContestantsArtemisTest {
    private static final int MESSAGES = 60;

    private static BrokerProcess broker;

    @BeforeAll
    static void start() throws Exception {
        broker = BrokerProcess.start();
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    /** The contestant with 30 s is omitted: it is the one with 1 ms, and takes 30 s to shut down. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BOGUS_30S")
    void handlesEveryMessageOnce(JmsFlowContestants contestant) throws Exception {
        MessageWork handling = new MessageWork(new HandlerTime(1, 3), 1, MESSAGES);
        Backlog.fill(broker.url(), MESSAGES, false);
        try (Consumer _ = contestant.at(broker.url(), handling)) {
            while (handling.ended() < MESSAGES) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        handling.awaitIdle();

        assertThat(MessageAudit.of(handling, Backlog.drain(broker.url(), handling)))
                .isEqualTo(new MessageAudit(0, 0));
        assertThat(broker.count(Backlog.QUEUE)).isZero();
        assertThat(handling.inFlightMax()).isBetween(1, JmsFlowContestants.BOUND);
    }
}
