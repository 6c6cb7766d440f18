package dev.penstock.kafka.source;

import dev.penstock.Unanswered;
import dev.penstock.kafka.transaction.TransactionalProducer.Participant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Sends dead letters, over a producer that is opened with the first one. Thread-safe. */
final class DeadLetterTopic implements AutoCloseable {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Supplier<Producer<byte[], byte[]>> opener;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean closed;

    DeadLetterTopic(String name, Supplier<Producer<byte[], byte[]>> opener) {
        this.name = name;
        this.opener = opener;
    }

    /**
     * Sends a record as a dead letter, in its transaction if it has one, and waits for the broker.
     *
     * @throws Exception when the broker has not confirmed it
     */
    void send(HeldRecord held, Unanswered why, int attempts) throws Exception {
        ConsumerRecord<byte[], byte[]> received = held.received;
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(name, null, received.key(), received.value(), received.headers());
        add(letter, "penstock_ending", why.ending());
        add(letter, "penstock_cause", why.causeName());
        add(letter, "penstock_reason", firstLine(why.getMessage()));
        add(letter, "penstock_attempts", Integer.toString(attempts));
        add(letter, "penstock_topic", received.topic());
        add(letter, "penstock_partition", Integer.toString(received.partition()));
        add(letter, "penstock_offset", Long.toString(received.offset()));
        try {
            Participant transaction = held.transaction;
            RecordMetadata _ = transaction == null
                    ? producer().send(letter).get()
                    : transaction.send(letter, KafkaClients.TRANSACTION_NANOS);
        } catch (ExecutionException refused) {
            throw refused.getCause() instanceof Exception known ? known : refused;
        }
    }

    private static void add(ProducerRecord<byte[], byte[]> letter, String header, String value) {
        letter.headers().remove(header).add(header, value.getBytes(StandardCharsets.UTF_8));
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "" : text.lines().findFirst().orElse("");
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (closed) {
            throw new IllegalStateException("the source is closed");
        }
        Producer<byte[], byte[]> open = producer;
        if (open == null) {
            open = opener.get();
            producer = open;
        }
        return open;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (producer != null) {
            producer.close(CLOSE_TIMEOUT);
        }
    }
}
