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
 * What an error of a client says of what was sent.
 *
 * @param kind what it says
 */
record JmsFault(Kind kind, JMSException error) {
    enum Kind {
        /** The broker, or the client, will not have it. */
        REFUSED,
        /** The broker has no room for it now. */
        FULL,
        /** The broker has undone the transaction. */
        ROLLED_BACK,
        /** The broker has undone it, since it has one of its messages already. */
        DUPLICATE,
        /** The connection is gone. */
        LOST,
        /** The client did not wait any longer for the broker. */
        LATE,
        /** Something that does not tell what became of it. */
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

    /** Whether the connection is gone, or may be: no answer came from it. */
    boolean isLost() {
        return kind == Kind.LOST || kind == Kind.LATE;
    }

    /** Whether the broker says that it has kept nothing. */
    boolean isUndone() {
        return kind == Kind.REFUSED || kind == Kind.DUPLICATE || kind == Kind.FULL || kind == Kind.ROLLED_BACK;
    }

    /** How what was sent ended by it, by how far it was. */
    Unanswered ending(SendTask.Step step) {
        if (kind == Kind.REFUSED || kind == Kind.DUPLICATE) {
            return new Failed(Failed.Cause.REFUSED, "the broker refused it: " + words(error), error);
        }
        if (kind == Kind.FULL) {
            return new Failed(Failed.Cause.ROLLED_BACK, "the broker has no room for it now: " + words(error), error);
        }
        if (kind == Kind.ROLLED_BACK) {
            return new Failed(Failed.Cause.ROLLED_BACK, "the broker kept nothing of it: " + words(error), error);
        }
        return switch (step) {
            case PREPARING, LEFT ->
                new Failed(Failed.Cause.CONNECT, "nothing was sent, as there is no session: " + words(error), error);
            case SENDING ->
                new Failed(
                        Failed.Cause.ROLLED_BACK,
                        "the connection ended before it was told to keep anything: " + words(error),
                        error);
            case KEEPING -> inDoubt();
        };
    }

    /** How a message ended that could not even be made ready to be sent. */
    Failed refused() {
        return new Failed(Failed.Cause.REFUSED, "it cannot be sent so: " + words(error), error);
    }

    private Unknown inDoubt() {
        return switch (kind) {
            case LATE ->
                new Unknown(Unknown.Cause.TIMEOUT, "the broker did not confirm it in time: " + words(error), error);
            case LOST ->
                new Unknown(
                        Unknown.Cause.CLOSED, "the connection ended before the broker's word: " + words(error), error);
            default ->
                new Unknown(Unknown.Cause.ERROR, "the client failed, and nobody can tell when: " + words(error), error);
        };
    }

    static Unanswered unexpected(Throwable thrown, SendTask.Step step) {
        return step == SendTask.Step.KEEPING
                ? new Unknown(
                        Unknown.Cause.ERROR, "the client failed, and nobody can tell when: " + words(thrown), thrown)
                : new Failed(Failed.Cause.UNDONE, "the client failed before it was sent: " + words(thrown), thrown);
    }

    /** The first line of what it says. */
    static String words(@Nullable Throwable error) {
        String message = error == null ? "no reason was told" : error.getMessage();
        // The message of an Error alone is often only the name of a class.
        return message == null || message.isBlank() || error instanceof Error
                ? String.valueOf(error)
                : message.lines().findFirst().orElse("").strip();
    }
}
