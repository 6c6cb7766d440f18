package dev.penstock.kafka.source;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.CommitMetadata.Attempts;
import dev.penstock.kafka.transaction.TransactionalProducer.Participant;
import dev.penstock.source.Redelivery;
import dev.penstock.supervise.Part;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes each record that may start, on a virtual thread, through the flow, with retries, until it has an outcome.
 * Thread-safe.
 *
 * @param <Q> the request
 */
final class RecordHandling<Q> {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final long RETRY_NANOS = 1_000_000_000;

    private final KafkaSourceBuilder built;
    private final BiFunction<? super KafkaRecord, KafkaSource.Position, ? extends Q> reader;
    private final Service<? super Q, ?> handler;
    private final DeadLetterTopic deadLetters;
    private final ReceivedRecords records;
    private final Part part;
    /** Held exclusively by a record during which more than one process died, so that others do not become suspects again. */
    private final ReadWriteLock gate = new ReentrantReadWriteLock(true);

    RecordHandling(
            ReceivedRecords records,
            BiFunction<? super KafkaRecord, KafkaSource.Position, ? extends Q> reader,
            Service<? super Q, ?> handler,
            DeadLetterTopic deadLetters,
            Part part) {
        this.built = records.built;
        this.reader = reader;
        this.handler = handler;
        this.deadLetters = deadLetters;
        this.records = records;
        this.part = part;
    }

    /** Starts all records for which the flow has capacity. */
    void startReady() {
        for (HeldRecord next = records.next(); next != null; next = records.next()) {
            HeldRecord held = next;
            try {
                Thread.ofVirtual().name("penstock-kafka-record").start(() -> run(held));
            } catch (Throwable noThread) {
                records.tried(held, false);
                records.ended(held, false);
                throw noThread;
            }
        }
    }

    private void run(HeldRecord held) {
        boolean isCompleted = false;
        try {
            isCompleted = handle(held);
        } catch (Throwable broken) { // also an Error: the record is not lost, and others are processed
            part.failedOnce("record " + held.id() + " is tried again", broken);
        } finally {
            records.ended(held, isCompleted);
        }
        try {
            startReady();
        } catch (Throwable failed) {
            part.failedOnce("the poll thread starts the next record", failed);
        }
    }

    /** Processes a record whose attempt has begun. Returns whether it is completed; otherwise it is given back. */
    private boolean handle(HeldRecord held) {
        if (held.isCautious && !records.awaitCommitted(held)) {
            records.tried(held, false);
            return false;
        }
        KafkaRecord record = held.read();
        boolean isKeyed = built.isRepeatable(record);
        Attempts before = held.before;
        if (before.isRunning() && (!isKeyed || before.count() >= built.deliveries())) {
            return sendDeadLetter(held, died(before.count(), isKeyed), before.count());
        }
        Q request;
        try {
            request = reader.apply(record, held.position());
        } catch (Throwable thrown) { // also an Error: it concerns this record only, and others are processed after it
            String why = "the record cannot be read: " + thrown;
            return sendDeadLetter(held, new Failed(Failed.Cause.REFUSED, why, thrown), before.count());
        }
        return process(held, request, isKeyed);
    }

    private boolean process(HeldRecord held, Q request, boolean isKeyed) {
        int sent = held.before.count();
        while (true) {
            Unanswered ended = attempt(held, request);
            if (ended == null) {
                return report(held, null);
            }
            if (!held.undo()) {
                records.tried(held, false);
                return false;
            }
            boolean wasSent = !(ended instanceof Rejected);
            sent += wasSent ? 1 : 0;
            switch (built.redelivery.after(ended, sent, isKeyed, ThreadLocalRandom.current())) {
                case Redelivery.Next.ToDeadLetter _ -> {
                    return sendDeadLetter(held, ended, sent);
                }
                case Redelivery.Next.GiveBack _ -> {
                    records.tried(held, false);
                    boolean _ = pause(held, RETRY_NANOS); // the flow drains, maybe while this source goes on
                    return false;
                }
                case Redelivery.Next.Again again -> {
                    records.tried(held, wasSent);
                    if (!pause(held, again.nanos())) {
                        return false;
                    }
                    records.counts.triedAgain.increment();
                    records.began(held);
                }
            }
        }
    }

    /** One attempt; null when it was answered. */
    private @Nullable Unanswered attempt(HeldRecord held, Q request) {
        Attempts before = held.before;
        Lock lock = before.isRunning() && before.count() > 1 ? gate.writeLock() : gate.readLock();
        lock.lock();
        try {
            if (held.delivery.stop.isAsked()) {
                return new Rejected(Rejected.Cause.DRAINING, "the source gives back the record");
            }
            Participant transaction = held.transaction;
            held.answer =
                    transaction == null ? handler.call(request) : transaction.process(() -> handler.call(request));
            return null;
        } catch (Unanswered unanswered) {
            return unanswered;
        } catch (InterruptedException interrupted) {
            return new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while the record was processed", interrupted);
        } catch (Throwable thrown) { // also an Error: it concerns this record only, and others are processed after it
            return new Unknown(Unknown.Cause.ERROR, "the target threw an unexpected exception: " + thrown, thrown);
        } finally {
            lock.unlock();
            // A leftover interrupt of the handler would end the following waits.
            Thread.interrupted();
        }
    }

    /** Waits while the record keeps its key but not its share of the flow; false when it is given back. */
    private boolean pause(HeldRecord held, long nanos) {
        return records.prefetchWindow.pause(held.delivery.stop, nanos);
    }

    /** Not for a record that another consumer may have: that one processes it again. */
    private boolean sendDeadLetter(HeldRecord held, Unanswered why, int attempts) {
        held.answer = null;
        while (report(held, why) && !held.delivery.isReleased) {
            try {
                deadLetters.send(held, why, attempts);
                records.counts.deadLetters.increment();
                return true;
            } catch (Exception failed) {
                boolean _ = held.undo();
                LOG.warn("record {} waits, because its dead letter cannot be sent: {}", held.id(), failed.toString());
            }
            if (!pause(held, RETRY_NANOS)) {
                break;
            }
        }
        return false;
    }

    /** Notifies of an ending until that succeeds; false when the record is given back before. */
    private boolean report(HeldRecord held, @Nullable Unanswered why) {
        KafkaSource.Ended listener = built.listener;
        return listener == null
                || records.prefetchWindow.repeat(
                        () -> held.delivery.stop,
                        "recording the ending of record " + held.id(),
                        () -> listener.ended(held.read(), held.answer, why));
    }

    private Unanswered died(int attempts, boolean isKeyed) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                KafkaSource.PROCESS_DIED
                        + (built.isShared
                                ? ", or gave it back; deliveries before this one: " + attempts
                                : attempts == 1 ? "" : ", in attempt " + attempts)
                        + (isKeyed ? "" : "; the record has no key, so it cannot be retried safely"));
    }
}
