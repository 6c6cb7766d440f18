package dev.penstock.kafka.transaction;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transactions of one producer, one after the other: what the records of a source send, and the offsets that it commits.
 *
 * <h2>Design note</h2>
 *
 * <p>A record joins the open transaction when it first sends something, and takes part until its attempt has ended. A
 * transaction ends when no record takes part any more; those that would join wait meanwhile. So what a record sends is in the
 * same transaction as its offset, and nothing is sent late into the next one. After one failed send Kafka's producer takes no
 * others before the abort, so all that took part are processed again; only the first one that failed counts an attempt.
 *
 * <p>After an error that an abort does not clear, such as fencing, the producer is closed rather than repaired. Its source opens
 * another, and begins with what is committed. Thread-safe, except that one thread ends the transactions.
 */
public final class TransactionalProducer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    /** Inherited by the thread on which a flow enforces a deadline. */
    private static final InheritableThreadLocal<@Nullable Participant> CURRENT = new InheritableThreadLocal<>();

    private final Producer<byte[], byte[]> producer;
    private final String servers;
    // Changed under the lock of this object, or by the thread that ends transactions while no record takes part.
    private int participants;
    private boolean isEnding;
    /** Why the transaction is to be rolled back: the first attempt that failed, or this if it is closed; null for nothing. */
    private volatile @Nullable Object culprit;

    /** Takes over a producer, to close it. */
    public TransactionalProducer(Producer<byte[], byte[]> producer, String servers) {
        this.producer = producer;
        this.servers = servers;
    }

    /** The attempt of the calling thread; null outside of a transaction. */
    public static @Nullable Participant current() {
        return CURRENT.get();
    }

    /** Begins the first transaction. One without records and offsets is not known to the brokers. */
    public void open() {
        producer.initTransactions();
        producer.beginTransaction();
    }

    /** An attempt for a record, which may send others in a transaction. */
    public final class Participant {
        private final BooleanSupplier isReleased;
        private boolean hasJoined;
        private boolean hasEnded;

        /** An attempt that begins, for a record that another member of the group may process if {@code isReleased}. */
        public Participant(BooleanSupplier isReleased) {
            this.isReleased = isReleased;
        }

        /** Processes the record; what this thread, or one that it starts, sends meanwhile is in the transaction. */
        public <T extends @Nullable Object> T process(Callable<T> work) throws Exception {
            CURRENT.set(this);
            try {
                T answer = work.call();
                if (culprit == this) { // and the work has hidden it
                    throw new Failed(Failed.Cause.ROLLED_BACK, "a record that it sent was not acknowledged");
                }
                return answer;
            } finally {
                CURRENT.remove();
            }
        }

        /** The bootstrap servers of the cluster of the transaction. */
        public String servers() {
            return servers;
        }

        /** Sends a record in the transaction, and waits until the brokers have it; throws also what Kafka's producer throws. */
        public RecordMetadata send(ProducerRecord<byte[], byte[]> record, long nanos) throws Exception {
            long until = Ticker.SYSTEM.nanos() + nanos;
            List<?> _ = producer.partitionsFor(record.topic()); // a missing topic delays no transaction
            try {
                return handOver(this, record, until)
                        .get(Math.max(0, until - Ticker.SYSTEM.nanos()), TimeUnit.NANOSECONDS);
            } catch (Throwable thrown) {
                fail(this);
                throw thrown;
            }
        }

        /** The attempt has not succeeded, so what it sent is rolled back; returns false if another record is the reason. */
        public boolean undo() {
            synchronized (TransactionalProducer.this) {
                boolean _ = end(false);
                return !hasJoined || culprit == this;
            }
        }

        /** Ends the attempt; returns whether its record is completed, with the transaction if it {@link #hasJoined} one. */
        public boolean end(boolean isCompleted) {
            synchronized (TransactionalProducer.this) {
                if (!isCompleted) {
                    fail(this);
                }
                participants -= hasJoined && !hasEnded ? 1 : 0;
                hasEnded = true;
                if (participants == 0) {
                    TransactionalProducer.this.notifyAll();
                }
                return isCompleted && !(hasJoined && isClosed());
            }
        }

        /** Whether it has sent something; for one that has ended. */
        public boolean hasJoined() {
            return hasJoined;
        }

        /** Another attempt for the same record. */
        public Participant next() {
            return new Participant(isReleased);
        }
    }

    /** One record after the other, so that none gets into a transaction after its attempt has ended. */
    private synchronized Future<RecordMetadata> handOver(
            Participant attempt, ProducerRecord<byte[], byte[]> record, long until) throws Exception {
        while (!attempt.hasJoined && (isEnding || isFailed()) && !isOver(attempt)) {
            long millis = (until - Ticker.SYSTEM.nanos()) / 1_000_000;
            if (millis <= 0) {
                throw new Rejected(
                        Rejected.Cause.DEADLINE, "deadline exceeded while a transaction was being committed");
            }
            wait(millis);
        }
        if (isOver(attempt)) {
            throw new Rejected(Rejected.Cause.DRAINING, "the source has given back the record");
        }
        if (isFailed()) {
            throw new Failed(Failed.Cause.ROLLED_BACK, "the transaction is being rolled back");
        }
        participants += attempt.hasJoined ? 0 : 1;
        attempt.hasJoined = true;
        return producer.send(record);
    }

    private boolean isOver(Participant attempt) {
        return isClosed() || attempt.hasEnded || attempt.isReleased.getAsBoolean();
    }

    private synchronized void fail(Participant attempt) {
        if (attempt.hasJoined && !attempt.hasEnded && culprit == null) {
            culprit = attempt;
        }
    }

    private boolean isClosed() {
        return culprit == this;
    }

    /** Whether the open transaction is to be rolled back. */
    public boolean isFailed() {
        return culprit != null;
    }

    /** Lets no further record join until {@link #reopen}; waits for those that take part. Returns whether it may {@link #end}. */
    public synchronized boolean awaitParticipants(Duration most) {
        isEnding = true;
        long until = Ticker.SYSTEM.nanos() + most.toNanos();
        try {
            while (participants > 0 && !isClosed() && Ticker.SYSTEM.nanos() - until < 0) {
                wait(Math.max(1, (until - Ticker.SYSTEM.nanos()) / 1_000_000));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return participants == 0 || isClosed();
    }

    /**
     * Commits if no send has failed and the group still gives the offsets to this consumer; otherwise rolls back, and returns
     * false. Closes the producer, and throws, when it is not known which.
     */
    public boolean end(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        if (isClosed()) {
            throw new KafkaException("the producer is closed");
        }
        if (offsets.isEmpty() && !isFailed()) {
            return true; // nothing was sent
        }
        try {
            boolean isCommitted = !isFailed() && commit(offsets, group);
            if (!isCommitted) {
                producer.abortTransaction();
            }
            producer.beginTransaction();
            culprit = null;
            return isCommitted;
        } catch (RuntimeException unknown) {
            close();
            throw unknown;
        }
    }

    private boolean commit(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        try {
            producer.sendOffsetsToTransaction(offsets, group);
            producer.commitTransaction();
            return true;
        } catch (TimeoutException unknown) {
            throw unknown;
        } catch (KafkaException refused) {
            LOG.warn("the transaction with {} is rolled back: {}", offsets.keySet(), refused.toString());
            return false;
        }
    }

    /** Records may join again. */
    public synchronized void reopen() {
        isEnding = false;
        notifyAll();
    }

    /** Rolls back what is not committed, now or when the brokers do. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            culprit = this;
            notifyAll();
        }
        producer.close(CLOSE_TIMEOUT);
    }
}
