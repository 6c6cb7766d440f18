package dev.penstock.jms.source;

import dev.penstock.jms.LargeDeliveries;
import dev.penstock.jms.source.JmsSource.SourceStop;
import jakarta.jms.Connection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a source receives messages, and if not, why. Thread-safe. */
final class SourceHealth {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    /** A client that buffers whole messages has several copies of this one, and other messages. */
    private static final int MEMORY_FRACTION = 16;
    /** An allowance for header and properties, in bytes. */
    private static final long HEAD = 1 << 20;

    private final String where;
    private final SourceStop stop;
    private final long maxMessageBytes;
    private final LargeDeliveries large;
    private volatile @Nullable String outage = "not connected yet";
    private volatile @Nullable String tooLarge;
    private boolean wasLost;

    /** Receives nothing yet. */
    SourceHealth(JmsSourceBuilder built, SourceStop stop) {
        this.where = built.subscription() + " at " + built.broker().where();
        this.stop = stop;
        this.maxMessageBytes = Math.max(built.maxBody(), Runtime.getRuntime().maxMemory() / MEMORY_FRACTION) + HEAD;
        this.large = new LargeDeliveries(maxMessageBytes, this::onTooLarge);
    }

    /** Leaves too large messages of the consumers of a connection at the broker. */
    void guard(Connection connection) {
        large.guard(connection);
    }

    /** A consumer is open: messages are received from now on. */
    synchronized void receiving() {
        outage = null;
        // If the message is delivered again, it is detected again.
        tooLarge = null;
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

    /** Why messages are not received, or one of them is too large; null otherwise, and when the source is stopping. */
    @Nullable
    String outage() {
        String lost = outage;
        return stop.isAsked() ? null : lost == null ? tooLarge : lost;
    }

    private synchronized void onTooLarge() {
        if (tooLarge == null) {
            tooLarge = "a message of more than " + maxMessageBytes
                    + " bytes is too large for the memory of this process and stays at the broker; other messages are"
                    + " processed. Stop this process and move the message away, or give it more memory (-Xmx)";
            LOG.error("{}: {}", where, tooLarge);
        }
    }
}
