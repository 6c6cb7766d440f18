package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.source.ReconnectBackoff;
import dev.penstock.source.SourceHealth;
import dev.penstock.supervise.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoublePredicate;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a consumer open while the source runs, and polls it on a thread of its own: a Kafka consumer belongs to one thread.
 * Thread-safe.
 */
final class PollLoop implements KafkaSource.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration FIRST_ANSWER_TIMEOUT = Duration.ofSeconds(3);

    private final ReceivedRecords records;
    private final KafkaSourceBuilder built;
    private final Supplier<Member> opener;
    private final SourceHealth health;
    private final Part part;
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private volatile boolean closed;
    private volatile @Nullable Member member;
    private @Nullable Thread thread;

    /** A consumer of the broker, from opening to closing. For one thread, except {@link #wakeup}. */
    interface Member {
        /** Asks the broker for the topic, to find permanent errors. Throws what Kafka's client throws. */
        void ask(Duration timeout);

        /** Receives until it is over. */
        void run(BooleanSupplier isOver);

        /** Ends a call that blocks. */
        void wakeup();

        /** Leaves the group, and closes the consumer. */
        void close(Duration timeout);

        /** The time since a consumer's last heartbeat, in seconds; negative before the first. */
        static @Nullable Metric sinceHeartbeat(Map<MetricName, ? extends Metric> metrics) {
            return metrics.values().stream()
                    .filter(metric -> metric.metricName().name().equals("last-heartbeat-seconds-ago"))
                    .findFirst()
                    .orElse(null);
        }

        /** Reports an outage that begins, if the last heartbeat is too old, or ends, by the seconds since the last heartbeat. */
        static void check(
                SourceHealth health, @Nullable Metric sinceHeartbeat, int outageSeconds, DoublePredicate isReceiving) {
            double seconds = sinceHeartbeat != null && sinceHeartbeat.metricValue() instanceof Number number
                    ? number.doubleValue()
                    : 0;
            if (seconds >= outageSeconds) {
                health.lost("no answer from the broker that coordinates the group for " + (int) seconds + " s");
            } else if (health.isLost() && isReceiving.test(seconds)) {
                health.receiving();
            }
        }
    }

    /** A loop that has not started, and opens a consumer by {@code opener}. */
    PollLoop(ReceivedRecords records, Supplier<Member> opener, SourceHealth health, Part part) {
        this.records = records;
        this.built = records.built;
        this.opener = opener;
        this.health = health;
        this.part = part;
    }

    @Override
    public synchronized void start() throws IOException {
        if (thread != null) {
            throw new IllegalStateException("the source was started already");
        }
        member = openFirst();
        startUnasked();
    }

    /** Starts without asking the broker first. */
    synchronized void startUnasked() {
        thread = part.start(Thread.ofPlatform().daemon().name("penstock-kafka-" + built.topic), this::receive);
    }

    /** Opens a consumer, and asks the broker for the topic, to find errors that are permanent. */
    private Member openFirst() throws IOException {
        Member opened;
        try {
            opened = opener.get();
        } catch (KafkaException invalid) {
            throw new IOException("cannot consume " + built.where() + ": " + rootMessage(invalid), invalid);
        }
        try {
            opened.ask(FIRST_ANSWER_TIMEOUT);
        } catch (TimeoutException late) {
            health.lost("no broker answers; check that one runs at this address");
        } catch (AuthenticationException | AuthorizationException | InvalidTopicException refused) {
            opened.close(CLOSE_TIMEOUT);
            throw new IOException("the broker refuses " + built.where() + ": " + rootMessage(refused), refused);
        } catch (KafkaException other) {
            health.lost(rootMessage(other));
        }
        return opened;
    }

    private void receive() {
        Member open = member;
        while (!isOver()) {
            try {
                if (open == null) {
                    open = opener.get();
                }
                member = open;
                open.run(this::isOver);
            } catch (KafkaException lost) {
                failed(lost);
            } catch (Throwable broken) { // also an Error: continues with a new consumer
                failed(broken);
                if (!isOver()) {
                    part.failed("the source opens a new consumer", broken);
                }
            } finally {
                close(open);
                open = null;
            }
            awaitNextAttempt();
        }
    }

    private boolean isOver() {
        return closed || (records.stop.isAsked() && records.size() == 0);
    }

    private void failed(Throwable why) {
        if (isOver()) {
            return;
        }
        if (!health.isLost()) {
            reconnectBackoff.succeeded();
        }
        health.lost(rootMessage(why));
        reconnectBackoff.failed(Ticker.SYSTEM.nanos(), ThreadLocalRandom.current());
        if (reconnectBackoff.isToLog(Ticker.SYSTEM.nanos())) {
            LOG.warn(
                    "no records from {}: {}; opening a new consumer, with a backoff of up to {} s",
                    built.where(),
                    rootMessage(why),
                    ReconnectBackoff.MOST_SECONDS);
        }
    }

    /** The message of the root cause, which is usually clearer. */
    private static String rootMessage(Throwable why) {
        Throwable root = why;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root instanceof Error || root.getMessage() == null ? root.toString() : root.getMessage();
        return KafkaCluster.withoutValue(message);
    }

    private void awaitNextAttempt() {
        long until = Ticker.SYSTEM.nanos() + reconnectBackoff.waitLeft(Ticker.SYSTEM.nanos());
        while (!isOver() && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Math.min(until, Ticker.SYSTEM.nanos() + 10_000_000));
        }
    }

    private void close(@Nullable Member open) {
        member = null;
        try {
            if (open != null) {
                open.close(CLOSE_TIMEOUT);
            }
        } catch (Throwable broken) {
            LOG.debug("closing the consumer of {} failed: {}", built.where(), broken.toString());
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        part.close();
        Thread running = thread;
        if (running == null) {
            return;
        }
        Part.join(running, CLOSE_TIMEOUT.multipliedBy(2));
        Member open = member;
        if (running.isAlive() && open != null) {
            open.wakeup(); // it is blocked in a call to an unresponsive broker
            Part.join(running, CLOSE_TIMEOUT.multipliedBy(2));
        } else if (open != null) {
            close(open); // the thread was closed before it ran
        }
    }
}
