package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.TransactionRolledBackException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.qpid.jms.JmsOperationTimedOutException;
import org.apache.qpid.jms.JmsTransactionInDoubtException;
import org.apache.qpid.jms.provider.exceptions.ProviderDeliveryModifiedException;
import org.apache.qpid.jms.provider.exceptions.ProviderDeliveryReleasedException;
import org.jspecify.annotations.Nullable;

/**
 * Classifies an error of a JMS client by what it says about the message.
 *
 * @param kind the kind of error
 * @param error the error itself
 */
record JmsFault(Kind kind, JMSException error) {
    enum Kind {
        /** The broker or the client refuses the message. */
        REFUSED,
        /** The broker has no space for the message now. */
        FULL,
        /** The broker rolled the transaction back. */
        ROLLED_BACK,
        /** The broker rolled the transaction back because it has one of the messages already. */
        DUPLICATE,
        /** The connection is lost. */
        LOST,
        /** The client's timeout for the broker's answer expired. */
        LATE,
        /** The error does not tell whether the message was sent. */
        UNCLEAR
    }

    static JmsFault of(JMSException error) {
        return new JmsFault(kind(error), error);
    }

    private static Kind kind(JMSException error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            Kind known = switch (cause) {
                case ActiveMQException artemis -> kind(artemis.getType());
                case ProviderDeliveryModifiedException _, ProviderDeliveryReleasedException _ -> Kind.REFUSED;
                default -> null;
            };
            if (known != null) {
                return known;
            }
        }
        return switch (error) {
            case JmsTransactionInDoubtException _ -> Kind.LOST;
            case JmsOperationTimedOutException _ -> Kind.LATE;
            case TransactionRolledBackException _ -> Kind.ROLLED_BACK;
            case JMSSecurityException _,
                    InvalidDestinationException _,
                    MessageFormatException _,
                    MessageNotWriteableException _ -> Kind.REFUSED;
            case ResourceAllocationException _ -> Kind.FULL;
            case IllegalStateException _ -> Kind.LOST;
            default -> Kind.UNCLEAR;
        };
    }

    private static @Nullable Kind kind(ActiveMQExceptionType type) {
        return switch (type) {
            case NOT_CONNECTED,
                    DISCONNECTED,
                    REMOTE_DISCONNECT,
                    UNBLOCKED,
                    OBJECT_CLOSED,
                    TRANSACTION_OUTCOME_UNKNOWN,
                    SHUTDOWN_ERROR -> Kind.LOST;
            case CONNECTION_TIMEDOUT, TIMEOUT_EXCEPTION, REPLICATION_TIMEOUT_ERROR -> Kind.LATE;
            case TRANSACTION_ROLLED_BACK, TRANSACTION_TIMEOUT -> Kind.ROLLED_BACK;
            case DUPLICATE_ID_REJECTED -> Kind.DUPLICATE;
            case ADDRESS_FULL -> Kind.FULL;
            case QUEUE_DOES_NOT_EXIST,
                    ADDRESS_DOES_NOT_EXIST,
                    SECURITY_EXCEPTION,
                    CLUSTER_SECURITY_EXCEPTION,
                    UNEXPECTED_ROUTING_TYPE_FOR_ADDRESS,
                    ROUTING_EXCEPTION,
                    INTERCEPTOR_REJECTED_PACKET,
                    INVALID_QUEUE_CONFIGURATION -> Kind.REFUSED;
            default -> null;
        };
    }

    /** Whether the connection is lost, or may be, since it gave no answer. */
    boolean isLost() {
        return kind == Kind.LOST || kind == Kind.LATE;
    }

    /** Whether the broker confirms that nothing was committed. */
    boolean isUndone() {
        return kind == Kind.REFUSED || kind == Kind.DUPLICATE || kind == Kind.FULL || kind == Kind.ROLLED_BACK;
    }

    /** The ending of a send that was in a given state. */
    Unanswered ending(SendTask.Step step) {
        if (kind == Kind.REFUSED || kind == Kind.DUPLICATE) {
            return new Failed(Failed.Cause.REFUSED, "the broker refused the message: " + describe(error), error);
        }
        if (kind == Kind.FULL) {
            return new Failed(
                    Failed.Cause.ROLLED_BACK,
                    "the queue is full or the broker is out of resources: " + describe(error),
                    error);
        }
        if (kind == Kind.ROLLED_BACK) {
            return new Failed(
                    Failed.Cause.ROLLED_BACK, "the broker rolled the transaction back: " + describe(error), error);
        }
        return switch (step) {
            case PREPARING, ABANDONED ->
                new Failed(
                        Failed.Cause.CONNECT,
                        "nothing was sent, because no session could be opened: " + describe(error),
                        error);
            case SENDING ->
                new Failed(Failed.Cause.ROLLED_BACK, "connection lost before the commit: " + describe(error), error);
            case COMMITTING -> unknown();
        };
    }

    /** The ending of a message that could not be converted for sending. */
    Failed refused() {
        return new Failed(Failed.Cause.REFUSED, "the message cannot be sent: " + describe(error), error);
    }

    private Unknown unknown() {
        return switch (kind) {
            case LATE ->
                new Unknown(
                        Unknown.Cause.TIMEOUT, "no confirmation from the broker in time: " + describe(error), error);
            case LOST ->
                new Unknown(
                        Unknown.Cause.CLOSED,
                        "connection lost before the broker's confirmation: " + describe(error),
                        error);
            default ->
                new Unknown(
                        Unknown.Cause.ERROR,
                        "the JMS client failed, possibly after sending: " + describe(error),
                        error);
        };
    }

    static Unanswered unexpected(Throwable thrown, SendTask.Step step) {
        return step == SendTask.Step.COMMITTING
                ? new Unknown(
                        Unknown.Cause.ERROR,
                        "the JMS client failed, possibly after sending: " + describe(thrown),
                        thrown)
                : new Failed(Failed.Cause.UNDONE, "the JMS client failed before sending: " + describe(thrown), thrown);
    }

    /** The first line of an error's message. */
    static String describe(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (JmsClient.isInternal(cause)) {
                return "the JMS client failed with " + cause.getClass().getName();
            }
        }
        String message = error == null ? "no reason given" : error.getMessage();
        // The message of an Error is often only a class name.
        return message == null || message.isBlank() || error instanceof Error
                ? String.valueOf(error)
                : message.lines().findFirst().orElse("").strip();
    }

    /**
     * No connection could be opened. A rejected login says nothing about the message, so it is not {@code REFUSED}: a
     * flow that reads from a queue would make dead letters of all its messages because of a wrong password.
     *
     * @param more appended to the sentence
     */
    static Failed connectFailed(JmsBroker broker, String more, @Nullable Throwable why) {
        String reason = why == null ? "the connection was lost" : describe(why);
        boolean loginRejected = why instanceof JMSException known && of(known).kind() == Kind.REFUSED;
        return new Failed(
                Failed.Cause.CONNECT,
                loginRejected
                        ? broker.where() + " rejected the login" + more + ": " + reason + "; check user and password"
                        : "cannot connect to " + broker.where() + more + ": " + reason,
                why);
    }

    /** Wraps an exception that the client should not throw. */
    static JMSException unexpected(Throwable failed) {
        JMSException wrapped =
                new JMSException(JmsClient.isInternal(failed) ? describe(failed) : "the JMS client failed: " + failed);
        wrapped.initCause(failed);
        return wrapped;
    }
}
