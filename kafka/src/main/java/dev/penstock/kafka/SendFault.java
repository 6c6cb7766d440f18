package dev.penstock.kafka;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * What an error of Kafka's producer says about a record.
 *
 * @param target topic and servers, for messages
 */
record SendFault(String target) {
    /** The producer has no type for a record whose batch was refused because of another record. */
    private static final String BECAUSE_OF_OTHERS = "Failed to append record because it was part of a batch";

    /** The ending of a record that the producer did not take into its buffer. */
    Unanswered notTaken(Throwable error) {
        if (error instanceof BufferExhaustedException) {
            return new Rejected(
                    Rejected.Cause.POOL,
                    "the producer's buffer is full, since " + target + " takes records more slowly than they come: "
                            + describe(error));
        }
        return noTopic(error, true);
    }

    /** The ending of calls while the topic is not known, by whether a broker accepted a connection. */
    Unanswered noTopic(Throwable error, boolean isConnected) {
        if (isRefusal(error) || isUnknownTopic(error)) {
            return refused(error);
        }
        if (error instanceof AuthenticationException) {
            return new Failed(
                    Failed.Cause.CONNECT,
                    target + " rejected the login: " + describe(error) + "; check the settings of SASL and TLS",
                    error);
        }
        if (error instanceof TimeoutException && isConnected) {
            return new Rejected(
                    Rejected.Cause.POOL, "no broker has named the partitions of " + target + ": " + describe(error));
        }
        String why = error instanceof TimeoutException
                ? "no broker accepted a connection; check address, port and network, and whether it expects TLS or SASL"
                : describe(error);
        return new Failed(Failed.Cause.CONNECT, "cannot use " + target + ": " + why, error);
    }

    /** The ending of a record that was in the buffer, and may have been sent before the attempt that this error answers. */
    Unanswered undelivered(Throwable error, boolean isRepeated) {
        if (isRefusal(error) && !isRepeated) {
            return refused(error);
        }
        if (String.valueOf(error.getMessage()).startsWith(BECAUSE_OF_OTHERS) && !isRepeated) {
            return new Failed(
                    Failed.Cause.ROLLED_BACK,
                    target + " refused another record that was sent together with this",
                    error);
        }
        Unknown.Cause cause = switch (error) {
            case TimeoutException _ -> Unknown.Cause.TIMEOUT;
            case NetworkException _ -> Unknown.Cause.CLOSED;
            default -> Unknown.Cause.ERROR;
        };
        return new Unknown(cause, "no acknowledgement from " + target + ": " + describe(error), error);
    }

    /** The ending of a record that was not acknowledged, in a transaction that is therefore rolled back. */
    Unanswered rolledBack(Exception error) {
        if (error instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        Unanswered ending = switch (error) {
            case Unanswered known -> known;
            case KafkaException notTaken -> notTaken(notTaken);
            default -> undelivered(error.getCause() == null ? error : error.getCause(), false);
        };
        String why = "rolled back with its transaction: " + ending.getMessage();
        return ending instanceof Unknown ? new Failed(Failed.Cause.ROLLED_BACK, why, error) : ending;
    }

    /** The ending of a record that was sent, and not acknowledged by its deadline. */
    Unknown late() {
        return new Unknown(
                Unknown.Cause.TIMEOUT,
                "no acknowledgement from " + target + " before the deadline; check its in-sync replicas and disks");
    }

    /** The ending of a record that was sent by a producer that was discarded. */
    Unknown lost(Throwable error) {
        return new Unknown(
                Unknown.Cause.CLOSED, "connection given up before " + target + " acknowledged the record", error);
    }

    /** The ending of a record that was taken back before it was sent. */
    Failed withdrawn() {
        return new Failed(
                Failed.Cause.CONNECT,
                "no broker took the record, so it was withdrawn; check whether the leaders of " + target + " are up");
    }

    /** Whether no record can be sent any more by the producer that reports this error. */
    static boolean isFatal(Throwable error) {
        return error instanceof AuthenticationException
                || error instanceof ClusterAuthorizationException
                || error instanceof ProducerFencedException
                || error instanceof InvalidProducerEpochException
                || error instanceof UnsupportedVersionException;
    }

    /** Whether to wait no longer for a topic: this error will not pass by itself. */
    static boolean isLasting(Throwable error) {
        return !(error instanceof TimeoutException) || isRefusal(error);
    }

    static boolean isUnknownTopic(Throwable error) {
        return error instanceof UnknownTopicOrPartitionException
                || (error instanceof TimeoutException && error.getCause() instanceof UnknownTopicOrPartitionException);
    }

    /** Whether it refuses the record for good. The producer wraps what the brokers answer about a topic. */
    private static boolean isRefusal(Throwable error) {
        return switch (error) {
            case AuthorizationException _,
                    InvalidTopicException _,
                    RecordTooLargeException _,
                    RecordBatchTooLargeException _,
                    InvalidRecordException _,
                    InvalidTimestampException _,
                    PolicyViolationException _,
                    UnsupportedForMessageFormatException _ -> true;
            case TimeoutException _ -> error.getCause() != null && isRefusal(error.getCause());
            default -> false;
        };
    }

    private Failed refused(Throwable error) {
        boolean ofValue = error instanceof RecordTooLargeException || error instanceof InvalidRecordException;
        return Failed.refused(
                ofValue ? Failed.Refusal.VALUE : Failed.Refusal.OTHER,
                target + " refused the record: " + describe(error)
                        + (isUnknownTopic(error) ? "; create the topic" : ""),
                error);
    }

    /** The first line of the innermost message of Kafka: the outer ones only say which call failed. */
    static String describe(Throwable error) {
        Throwable innermost = error;
        while (innermost.getCause() instanceof KafkaException cause && cause.getMessage() != null) {
            innermost = cause;
        }
        String message = innermost.getMessage();
        return message == null || message.isBlank() || innermost instanceof Error
                ? String.valueOf(innermost)
                : message.lines().findFirst().orElse("").strip();
    }
}
