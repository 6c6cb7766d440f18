package dev.penstock.jms.source;

import dev.penstock.state.AttemptLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes which messages this process has begun with, and knows those that a process died over: suspects. A suspect is processed
 * with nothing beside it, so that what is innocent does not become a suspect again. Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>A broker's own count of deliveries does not serve: Artemis forgets it with its process unless it writes each delivery, also
 * counts what a client merely held ahead, and does not count what is paged; other brokers only flag a second delivery.
 */
final class DeliveryAttempts {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);

    private final @Nullable Path file;
    private final ReadWriteLock gate = new ReentrantReadWriteLock(true);
    private volatile @Nullable AttemptLog log;

    /**
     * Attempts that are not open yet.
     *
     * @param file null for none, and then nothing is noted
     */
    DeliveryAttempts(@Nullable Path file) {
        this.file = file;
    }

    void open() throws IOException {
        if (file == null || log != null) {
            return;
        }
        try {
            log = AttemptLog.open(file);
        } catch (IOException failed) {
            throw new IOException(
                    "the messages in process cannot be noted in " + file + ": " + failed.getMessage()
                            + "; check the folder and its owner",
                    failed);
        }
    }

    boolean isOn() {
        return log != null;
    }

    /** Whether there are suspects that have not ended. */
    boolean hasSuspects() {
        AttemptLog open = log;
        return open != null && open.hasLeft();
    }

    /** How many processes died over it. */
    int deaths(HeldMessage held) {
        AttemptLog open = log;
        String id = held.id();
        return open == null || id == null ? 0 : open.deaths(id);
    }

    /** A lock under which it is processed: a suspect alone, others beside each other. Null for none. */
    @Nullable
    Lock turn(int deaths) {
        if (deaths > 0) {
            return gate.writeLock();
        }
        AttemptLog open = log;
        return open == null || !open.hasLeft() ? null : gate.readLock();
    }

    /**
     * Notes that this process begins with a message, unless that is noted already.
     *
     * @param lasting whether the note has to outlive a power failure
     * @throws IOException it is not noted, so it must not begin
     */
    void begin(HeldMessage held, boolean lasting) throws IOException {
        AttemptLog open = log;
        String id = held.id();
        if (open == null || id == null || held.attempt() != HeldMessage.NO_ATTEMPT) {
            return;
        }
        held.attempt(open.begin(id));
        if (lasting) {
            open.sync();
        }
    }

    /** The broker knows what became of it, or will deliver it again and it had no effect. */
    void over(HeldMessage held) {
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
        } catch (IOException later) {
            LOG.warn("message {} stays noted as in process: {}", id, later.toString());
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
            LOG.debug("the file of attempts did not close: {}", broken.toString());
        }
    }
}
