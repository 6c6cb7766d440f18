package dev.penstock.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

/** The ending of each error. */
class SendFaultTest {
    private final SendFault faults = new SendFault("topic payments at b:9092");

    private static void assertEnding(Unanswered ending, Enum<?> why, String... parts) {
        assertThat(ending.why()).isEqualTo(why);
        for (String part : parts) {
            assertThat(ending).hasMessageContaining(part);
        }
    }

    @Test
    void whatTheProducerDoesNotTakeWasNotSent() {
        assertEnding(
                faults.notTaken(new BufferExhaustedException("Failed to allocate 16384 bytes")),
                Rejected.Cause.POOL,
                "buffer is full",
                "16384 bytes");
        assertEnding(
                faults.notTaken(new TimeoutException("Topic payments not present in metadata after 0 ms.")),
                Rejected.Cause.POOL,
                "partitions of topic payments");
        assertEnding(faults.notTaken(new RecordTooLargeException("2 MB")), Failed.Cause.REFUSED, "2 MB");
    }

    @Test
    void unknownTopicIsRefusedWithItsReason() {
        var unknown = new TimeoutException(
                "Topic payments not present in metadata after 0 ms.",
                new UnknownTopicOrPartitionException("This server does not host this topic-partition."));
        assertEnding(faults.noTopic(unknown, true), Failed.Cause.REFUSED, "does not host", "create the topic");
        assertThat(SendFault.isLasting(unknown)).isFalse();
        var forbidden = new TimeoutException("Topic payments not present", new TopicAuthorizationException("denied"));
        assertEnding(faults.noTopic(forbidden, true), Failed.Cause.REFUSED, "denied");
        assertThat(SendFault.isLasting(forbidden)).isTrue();
    }

    @Test
    void withoutConnectionOrLoginIsConnect() {
        TimeoutException none = new TimeoutException("Topic payments not present in metadata after 0 ms.");
        assertEnding(faults.noTopic(none, false), Failed.Cause.CONNECT, "no broker accepted a connection");
        assertEnding(
                faults.noTopic(new SaslAuthenticationException("wrong password"), true),
                Failed.Cause.CONNECT,
                "rejected the login",
                "wrong password");
        assertEnding(
                faults.noTopic(
                        new KafkaException(
                                "Failed to construct kafka producer",
                                new KafkaException("No resolvable bootstrap urls given in bootstrap.servers")),
                        false),
                Failed.Cause.CONNECT,
                "No resolvable");
        assertEnding(faults.noTopic(new NoClassDefFoundError("x/Y"), false), Failed.Cause.CONNECT, "x/Y");
    }

    @Test
    void refusalIsFinalUnlessTheRecordWasSentBefore() {
        for (Exception refusal : new Exception[] {
            new RecordTooLargeException("too large"),
            new InvalidRecordException("no key"),
            new TopicAuthorizationException("denied"),
            new ClusterAuthorizationException("denied")
        }) {
            assertEnding(faults.undelivered(refusal, false), Failed.Cause.REFUSED, "" + refusal.getMessage());
            assertEnding(faults.undelivered(refusal, true), Unknown.Cause.ERROR, "" + refusal.getMessage());
        }
    }

    @Test
    void dataOfTheRecordIsToldFromOtherReasons() {
        assertThat(faults.undelivered(new InvalidRecordException("no key"), false))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.refusal()).isEqualTo(Failed.Refusal.VALUE));
        assertThat(faults.undelivered(new TopicAuthorizationException("denied"), false))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.refusal()).isEqualTo(Failed.Refusal.OTHER));
    }

    @Test
    void refusalOfAnotherRecordOfTheBatchIsTransient() {
        KafkaException others = new KafkaException(
                "Failed to append record because it was part of a batch which had one more more invalid records");
        assertEnding(faults.undelivered(others, false), Failed.Cause.ROLLED_BACK, "another record");
        assertThat(faults.undelivered(others, false).isRetryable()).isTrue();
        assertEnding(faults.undelivered(others, true), Unknown.Cause.ERROR);
    }

    @Test
    void anyOtherErrorAfterSendingIsUnknown() {
        assertEnding(faults.undelivered(new TimeoutException("Expiring 1 record(s)"), false), Unknown.Cause.TIMEOUT);
        assertEnding(faults.undelivered(new NetworkException("Disconnected"), false), Unknown.Cause.CLOSED);
        assertEnding(faults.undelivered(new ProducerFencedException("fenced"), false), Unknown.Cause.ERROR);
        assertEnding(
                faults.undelivered(new NotEnoughReplicasAfterAppendException("1 of 2"), false), Unknown.Cause.ERROR);
        assertEnding(faults.undelivered(new OutOfMemoryError("heap"), false), Unknown.Cause.ERROR, "heap");
    }
}
