package dev.penstock.jms.source;

import dev.penstock.Ticker;
import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import dev.penstock.state.AttemptLog;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which messages this process has started, and knows those during which an earlier process died: suspects. A
 * suspect is processed alone, so that other messages do not become suspects again. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>The delivery count of a broker is not sufficient. Artemis loses it with its process unless it persists each
 * delivery, also counts prefetched messages, and does not count paged ones; other brokers only flag a second delivery.
 */
final class DeliveryAttempts {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);

    /**
     * How long messages wait for suspects after the last one, or after a connection was opened. A broker delivers them
     * first; later, it has delivered them to another process.
     */
    private static final long EXPECTED_NANOS = Durations.nanos(Duration.ofMinutes(10));

    private final @Nullable Path file;
    private final Ticker ticker;
    private volatile long expectedSince;
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock(true);
    private volatile @Nullable AttemptLog log;

    /**
     * Does not open the file yet.
     *
     * @param file null to record nothing
     */
    DeliveryAttempts(@Nullable Path file, Ticker ticker) {
        this.file = file;
        this.ticker = ticker;
        this.expectedSince = ticker.nanos();
    }

    /** A connection is opened, over which a broker delivers suspects first. */
    void connecting() {
        expectedSince = ticker.nanos();
    }

    void open() throws IOException {
        if (file == null || log != null) {
            return;
        }
        try {
            log = AttemptLog.open(file);
        } catch (IOException failed) {
            throw new IOException(
                    "cannot open the file of delivery attempts " + file + ": " + failed.getMessage()
                            + "; check that the folder exists and is writable",
                    failed);
        }
    }

    boolean isOn() {
        return log != null;
    }

    /** The number of processes that died while processing the message. */
    int deaths(HeldMessage held) {
        AttemptLog open = log;
        String id = held.id();
        return open == null || id == null ? 0 : open.deaths(id);
    }

    /** The lock under which the message is processed: exclusive for a suspect, shared for others; null for none. */
    @Nullable
    Lock lockFor(int deaths) {
        if (deaths > 0) {
            expectedSince = ticker.nanos();
            return gate.writeLock();
        }
        AttemptLog open = log;
        if (open == null || !open.hasLeft()) {
            return null;
        }
        boolean isExpected =
                gate.isWriteLocked() || gate.hasQueuedThreads() || ticker.nanos() - expectedSince < EXPECTED_NANOS;
        return isExpected ? gate.readLock() : null;
    }

    /**
     * Records that this process starts a message, unless that is recorded already.
     *
     * @param durable whether the record must survive a power failure
     * @throws IOException when it cannot be recorded, so that the message must not be started
     */
    void begin(HeldMessage held, boolean durable) throws IOException {
        AttemptLog open = log;
        String id = held.id();
        if (open == null || id == null || held.attempt() != HeldMessage.NO_ATTEMPT) {
            return;
        }
        held.attempt(open.begin(id));
        if (durable) {
            open.sync();
        }
    }

    /** The broker knows the outcome, or will deliver the message again and it had no effect. */
    void ended(HeldMessage held) {
        AttemptLog open = log;
        String id = held.id();
        int attempt = held.attempt();
        boolean inDoubt = held.outcome() instanceof MessageOutcome.GivenBack(boolean mayHaveEffect) && mayHaveEffect;
        if (open == null || id == null || attempt == HeldMessage.NO_ATTEMPT || inDoubt) {
            return;
        }
        held.attempt(HeldMessage.NO_ATTEMPT);
        try {
            open.end(id, attempt);
        } catch (IOException failed) {
            LOG.warn("message {} stays recorded as in process: {}", id, failed.toString());
        }
    }

    void close() {
        AttemptLog open = log;
        if (open == null) {
            return;
        }
        try {
            open.close();
        } catch (IOException broken) {
            LOG.debug("closing the file of delivery attempts failed: {}", broken.toString());
        }
    }
}
