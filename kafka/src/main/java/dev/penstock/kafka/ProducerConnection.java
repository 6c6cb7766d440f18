package dev.penstock.kafka;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.source.ReconnectBackoff;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The producer of a target, opened on demand, and again after it was discarded. It is opened on a virtual thread, so that
 * callers can stop waiting for it; the backoff between attempts is shared by all callers.
 *
 * <p>Thread-safe.
 */
final class ProducerConnection implements AutoCloseable {
    /** How long an attempt waits for the topic's partitions. */
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(3);

    /** The same while a broker says that there is no such topic: one that creates topics on demand needs a moment. */
    private static final Duration UNKNOWN_TOPIC_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    /** An attempt. */
    private static final class Opening {
        final CompletableFuture<TopicProducer> result = new CompletableFuture<>();
        volatile @Nullable TopicProducer producer;

        boolean isConnected() {
            TopicProducer now = producer;
            return now != null && now.isConnected();
        }
    }

    private final Supplier<TopicProducer> factory;
    private final SendFault faults;
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private volatile @Nullable TopicProducer current;
    private volatile boolean closed;
    // The fields below are guarded by the monitor.
    /** The last attempt, unless it failed or its producer was discarded. */
    private @Nullable Opening opening;

    private @Nullable Unanswered last;
    private long opened;

    /** Does not connect yet; {@code factory} may block. */
    ProducerConnection(Supplier<TopicProducer> factory, SendFault faults) {
        this.factory = factory;
        this.faults = faults;
    }

    /** The current producer, opened if there is none within a time limit. */
    TopicProducer open(long nanos) throws Unanswered {
        TopicProducer now = current;
        return now != null && !now.isDiscarded() ? now : await(openOrJoin(), nanos);
    }

    private synchronized Opening openOrJoin() throws Unanswered {
        if (closed) {
            throw closedEnding();
        }
        forgetDiscarded();
        if (opening != null) {
            return opening;
        }
        if (last != null && reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos()) > 0) {
            throw last;
        }
        Opening attempt = new Opening();
        Thread.ofVirtual().name("penstock-kafka-open").start(() -> open(attempt));
        // Set last, so that a thread that cannot start leaves no trace. The new thread takes the monitor before it
        // ends.
        opening = attempt;
        return attempt;
    }

    /** A producer that was discarded before a record was acknowledged counts as a failed attempt. */
    private void forgetDiscarded() {
        TopicProducer now = current;
        if (now == null || !now.isDiscarded()) {
            return;
        }
        current = null;
        opening = null;
        if (now.hasWorked()) {
            reconnectBackoff.succeeded();
        } else {
            failed(faults.withdrawn());
        }
    }

    private void failed(Unanswered why) {
        last = why;
        reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
    }

    private static Rejected closedEnding() {
        return new Rejected(Rejected.Cause.DRAINING, "the target is closed");
    }

    private TopicProducer await(Opening attempt, long nanos) throws Unanswered {
        try {
            return attempt.result.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw faults.noTopic(
                    new org.apache.kafka.common.errors.TimeoutException("no answer before the deadline"),
                    attempt.isConnected());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted while connecting");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Unanswered ending
                    ? ending
                    : new Failed(Failed.Cause.CONNECT, "unexpected: " + failed.getCause(), failed.getCause());
        }
    }

    private void open(Opening attempt) {
        try {
            TopicProducer made = factory.get();
            attempt.producer = made;
            made.awaitTopic(OPEN_TIMEOUT.toNanos(), UNKNOWN_TOPIC_TIMEOUT.toNanos());
            opened(made);
            attempt.result.complete(made);
        } catch (Unanswered closedMeanwhile) {
            notOpened(attempt, closedMeanwhile);
        } catch (Throwable failed) { // also an Error, such as a class missing from the client's jar
            notOpened(attempt, faults.noTopic(failed, attempt.isConnected()));
        }
    }

    private synchronized void opened(TopicProducer made) throws Rejected {
        if (closed) {
            throw closedEnding();
        }
        opened++;
        current = made;
    }

    private void notOpened(Opening attempt, Unanswered why) {
        synchronized (this) {
            opening = null;
            failed(why);
        }
        TopicProducer made = attempt.producer;
        if (made != null) {
            CompletableFuture<@Nullable Void> _ = made.discard();
        }
        attempt.result.completeExceptionally(why);
    }

    /** The number of producers opened so far. */
    synchronized long opened() {
        return opened;
    }

    boolean isOpen() {
        TopicProducer now = current;
        return now != null && !now.isDiscarded();
    }

    /** Discards the producer, and waits for it, but not for a dead broker. */
    @Override
    public void close() {
        TopicProducer open;
        synchronized (this) {
            closed = true;
            open = opening == null ? null : opening.producer;
        }
        if (open != null) {
            CompletableFuture<@Nullable Void> ended = open.discard().copy(); // in the background, if it takes longer
            ended.completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
    }
}
