package dev.penstock.kafka;

import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** The delivery of one record, from the caller's thread until the producer's thread reports its end. See {@link TopicProducer}. */
final class RecordDelivery implements Callback {
    /** How long before its deadline a call decides whether to withdraw its record, since a discarded producer needs to end. */
    private static final Duration GRACE = Duration.ofMillis(250);

    private final TopicProducer producer;
    private final SendFault faults;
    private final Thread caller = Thread.currentThread();
    private final TopicProducer.Progress before;
    private final CompletableFuture<KafkaReceipt> result = new CompletableFuture<>();

    /** Of a record that the calling thread sends next. */
    RecordDelivery(TopicProducer producer, SendFault faults) {
        this.producer = producer;
        this.faults = faults;
        this.before = producer.progress();
    }

    /** Sends the record and waits for the acknowledgement, until a reading of the system's ticker. */
    KafkaReceipt send(KafkaRecord record, long until) throws Unanswered {
        try {
            producer.take(record, this);
        } catch (InterruptException beforeTaken) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted before the record was sent");
        } catch (Throwable thrown) {
            // A producer that is closed or failed, or an Error. It may have taken the record before it threw.
            return withdraw(faults.notTaken(thrown), faults.undelivered(thrown, true));
        }
        return await(until);
    }

    private KafkaReceipt await(long until) throws Unanswered {
        try {
            if (!isDoneBy(until - GRACE.toNanos()) && producer.isStalledSince(before)) {
                return withdraw(faults.withdrawn(), faults.late());
            }
            return result.get(left(until), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw faults.late();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while waiting for the acknowledgement");
        } catch (ExecutionException failed) {
            throw asEnding(failed.getCause());
        }
    }

    private boolean isDoneBy(long time) throws InterruptedException, ExecutionException {
        try {
            KafkaReceipt _ = result.get(left(time), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        }
    }

    private static long left(long until) {
        return Math.max(0, until - Ticker.SYSTEM.nanos());
    }

    /** Discards the producer; after that it is known whether the record was sent, unless the producer does not end in time. */
    private KafkaReceipt withdraw(Unanswered notSent, Unanswered unknown) throws Unanswered {
        try {
            producer.discard().get(GRACE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException running) {
            throw unknown;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw unknown;
        }
        return switch (result.state()) {
            case SUCCESS -> result.resultNow();
            case FAILED -> throw asEnding(result.exceptionNow());
            default -> throw isSent() ? unknown : notSent;
        };
    }

    private Unanswered asEnding(@Nullable Throwable failed) {
        return failed instanceof Unanswered ending ? ending : faults.undelivered(Objects.requireNonNull(failed), true);
    }

    private boolean isSent() {
        return producer.progress().sent() != before.sent();
    }

    /** On the producer's thread, or on the caller's if the record was not taken. */
    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception error) {
        try {
            producer.ended(error == null);
            if (error == null) {
                result.complete(new KafkaReceipt(metadata.topic(), metadata.partition(), metadata.offset()));
                return;
            }
            Unanswered ending = ending(error);
            if (SendFault.isFatal(error)) {
                CompletableFuture<@Nullable Void> _ = producer.discard();
            }
            result.completeExceptionally(ending);
        } catch (Throwable failed) { // an Error: it would end the producer's thread
            result.completeExceptionally(failed);
        }
    }

    private Unanswered ending(Exception error) {
        if (Thread.currentThread().equals(caller) || (SendFault.isFatal(error) && !isSent())) {
            return faults.notTaken(error);
        }
        if (producer.isDiscarded()) {
            return isSent() ? faults.lost(error) : faults.withdrawn();
        }
        return faults.undelivered(error, producer.progress().repeated() != before.repeated());
    }
}
