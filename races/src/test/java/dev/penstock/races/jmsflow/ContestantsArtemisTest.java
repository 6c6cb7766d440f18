package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import dev.penstock.races.messages.MessageWork.MessageAudit;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    static List<String> all() {
        return JmsFlowContestants.ALL.names();
    }

    @ParameterizedTest
    @MethodSource("all")
    void handlesEveryMessageOnce(String contestant) throws Exception {
        MessageWork handling = new MessageWork(new HandlerTime(1, 3), 1, MESSAGES);
        Backlog.fill(broker.url(), MESSAGES, false);
        try (MessageConsumer _ = JmsFlowContestants.ALL.named(contestant).at(broker.url(), handling)) {
            while (handling.ended() < MESSAGES) {
                LockSupport.parkNanos(1_000_000);
            }
        }
        handling.awaitIdle();

        assertThat(MessageAudit.of(handling, Backlog.drain(broker.url(), handling)))
                .isEqualTo(new MessageAudit(0, 0));
        assertThat(broker.count(Backlog.QUEUE)).isZero();
        assertThat(handling.inFlightMax()).isBetween(1, ConsumeCourse.BOUND);
    }
}
