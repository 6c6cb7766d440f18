package dev.penstock.source;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a source receives messages, and if not, why. Thread-safe. */
public final class SourceHealth {
    private static final Logger LOG = LoggerFactory.getLogger(SourceHealth.class);

    private final String where;
    private final SourceStop stop;
    private volatile @Nullable String outage = "not connected yet";
    private boolean wasLost;

    /**
     * Receives nothing yet.
     *
     * @param where what it receives from, for the log
     */
    public SourceHealth(String where, SourceStop stop) {
        this.where = where;
        this.stop = stop;
    }

    /** A consumer is open: messages are received from now on. */
    public synchronized void receiving() {
        outage = null;
        if (wasLost) {
            wasLost = false;
            LOG.info("receiving from {} again", where);
        }
    }

    /** The connection is lost: no messages are received any more. */
    public synchronized void lost(String why) {
        outage = why;
        wasLost = true;
    }

    /** Whether no messages are received. */
    public boolean isLost() {
        return outage != null;
    }

    /** Why messages are not received; null otherwise, and when the source is stopping. */
    public @Nullable String outage() {
        return stop.isAsked() ? null : outage;
    }
}
