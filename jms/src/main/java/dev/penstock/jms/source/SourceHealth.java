package dev.penstock.jms.source;

import dev.penstock.jms.source.JmsSource.SourceStop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a source receives messages, and if not, why. Thread-safe. */
final class SourceHealth {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);

    private final String where;
    private final SourceStop stop;
    private volatile @Nullable String outage = "not connected yet";
    private boolean wasLost;

    /** Receives nothing yet. */
    SourceHealth(JmsSourceBuilder built, SourceStop stop) {
        this.where = built.subscription() + " at " + built.broker().where();
        this.stop = stop;
    }

    /** A consumer is open: messages are received from now on. */
    synchronized void receiving() {
        outage = null;
        if (wasLost) {
            wasLost = false;
            LOG.info("receiving from {} again", where);
        }
    }

    /** The connection is lost: no messages are received any more. */
    synchronized void lost(String why) {
        outage = why;
        wasLost = true;
    }

    /** Whether no messages are received. */
    boolean isLost() {
        return outage != null;
    }

    /** Why messages are not received; null otherwise, and when the source is stopping. */
    @Nullable
    String outage() {
        return stop.isAsked() ? null : outage;
    }
}
