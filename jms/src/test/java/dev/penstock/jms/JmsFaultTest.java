package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.TransactionRolledBackException;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.qpid.jms.JmsOperationTimedOutException;
import org.apache.qpid.jms.JmsTransactionInDoubtException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JmsFaultTest {
    private static JMSException artemis(ActiveMQExceptionType type) {
        JMSException error = new JMSException("AMQ: it failed");
        error.initCause(new ActiveMQException(type, "AMQ: it failed"));
        return error;
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(
                        artemis(ActiveMQExceptionType.ADDRESS_FULL),
                        Failed.Cause.ROLLED_BACK,
                        Failed.Cause.ROLLED_BACK),
                Arguments.of(
                        artemis(ActiveMQExceptionType.QUEUE_DOES_NOT_EXIST),
                        Failed.Cause.REFUSED,
                        Failed.Cause.REFUSED),
                Arguments.of(new JMSSecurityException("no"), Failed.Cause.REFUSED, Failed.Cause.REFUSED),
                Arguments.of(
                        artemis(ActiveMQExceptionType.NOT_CONNECTED), Unknown.Cause.CLOSED, Failed.Cause.ROLLED_BACK),
                Arguments.of(artemis(ActiveMQExceptionType.UNBLOCKED), Unknown.Cause.CLOSED, Failed.Cause.ROLLED_BACK),
                Arguments.of(
                        artemis(ActiveMQExceptionType.TRANSACTION_OUTCOME_UNKNOWN),
                        Unknown.Cause.CLOSED,
                        Failed.Cause.ROLLED_BACK),
                Arguments.of(
                        artemis(ActiveMQExceptionType.CONNECTION_TIMEDOUT),
                        Unknown.Cause.TIMEOUT,
                        Failed.Cause.ROLLED_BACK),
                Arguments.of(
                        new JmsOperationTimedOutException("late"), Unknown.Cause.TIMEOUT, Failed.Cause.ROLLED_BACK),
                Arguments.of(
                        new JmsTransactionInDoubtException("lost"), Unknown.Cause.CLOSED, Failed.Cause.ROLLED_BACK),
                Arguments.of(
                        new TransactionRolledBackException("undone"),
                        Failed.Cause.ROLLED_BACK,
                        Failed.Cause.ROLLED_BACK),
                Arguments.of(new IllegalStateException("closed"), Unknown.Cause.CLOSED, Failed.Cause.ROLLED_BACK),
                Arguments.of(new JMSException("what?"), Unknown.Cause.ERROR, Failed.Cause.ROLLED_BACK));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void lostConnectionIsUnknownOnlyDuringTheCommit(JMSException error, Enum<?> keeping, Enum<?> sending) {
        JmsFault fault = JmsFault.of(error);
        assertThat(fault.ending(SendTask.Step.COMMITTING).why()).isEqualTo(keeping);
        assertThat(fault.ending(SendTask.Step.SENDING).why()).isEqualTo(sending);
        if (sending != Failed.Cause.REFUSED && keeping instanceof Unknown.Cause) {
            assertThat(fault.ending(SendTask.Step.PREPARING).why()).isEqualTo(Failed.Cause.CONNECT);
        }
    }

    @Test
    void duplicateInATransactionIsRolledBack() {
        assertThat(JmsFault.of(artemis(ActiveMQExceptionType.DUPLICATE_ID_REJECTED))
                        .isUndone())
                .isTrue();
        assertThat(JmsFault.of(artemis(ActiveMQExceptionType.NOT_CONNECTED)).isUndone())
                .isFalse();
    }

    @Test
    void messageIsOneLine() {
        assertThat(JmsFault.describe(new JMSException("one\ntwo"))).isEqualTo("one");
        assertThat(JmsFault.describe(null)).isEqualTo("no reason given");
    }
}
