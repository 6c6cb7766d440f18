package dev.penstock.gateway.jms;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The number of messages that a source has at its broker. The broker is asked on a thread of its own, at most every 2 s and
 * only while someone reads the number, so a slow broker delays no metrics. Thread-safe.
 */
final class QueueDepthCache {
    private static final long MAX_AGE = Duration.ofSeconds(2).toNanos();

    private final Supplier<OptionalLong> broker;
    private final Ticker ticker;
    private final Part part;
    private final AtomicLong askedAt;
    private volatile OptionalLong latest = OptionalLong.empty();

    QueueDepthCache(Supplier<OptionalLong> broker, String where, Ticker ticker) {
        this.broker = broker;
        this.ticker = ticker;
        this.part = Supervisor.current().part("jms-queue-depth", where);
        this.askedAt = new AtomicLong(ticker.nanos() - MAX_AGE);
    }

    /** The last number, a few seconds old; empty if the broker does not report it. */
    OptionalLong latest() {
        long now = ticker.nanos();
        long before = askedAt.get();
        if (now - before >= MAX_AGE && askedAt.compareAndSet(before, now)) {
            Thread.ofVirtual().name("penstock-jms-queued").start(part.periodic(this::ask));
        }
        return latest;
    }

    private void ask() {
        OptionalLong answer = OptionalLong.empty();
        try {
            answer = broker.get();
        } finally {
            latest = answer;
        }
    }
}
