package dev.penstock.gateway.transport;

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
public final class MessageBacklog {
    private static final long MAX_AGE = Duration.ofSeconds(2).toNanos();

    private final Supplier<OptionalLong> broker;
    private final Part part;
    private final AtomicLong askedAt = new AtomicLong(Ticker.SYSTEM.nanos() - MAX_AGE);
    private volatile OptionalLong latest = OptionalLong.empty();

    /**
     * Not asked yet.
     *
     * @param broker asks, and may block
     * @param where the queue or topic, for messages
     */
    public MessageBacklog(Supplier<OptionalLong> broker, String where) {
        this.broker = broker;
        this.part = Supervisor.current().part("backlog", where);
    }

    /** The last number, a few seconds old; empty if the broker does not report it. */
    public OptionalLong latest() {
        long now = Ticker.SYSTEM.nanos();
        long before = askedAt.get();
        if (now - before >= MAX_AGE && askedAt.compareAndSet(before, now)) {
            Thread.ofVirtual().name("penstock-backlog").start(part.periodic(this::ask));
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
