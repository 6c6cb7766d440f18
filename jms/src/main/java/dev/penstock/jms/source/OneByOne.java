package dev.penstock.jms.source;

import dev.penstock.Ticker;
import dev.penstock.source.PrefetchWindow;

/**
 * Whether messages are received one by one, each only after the one before it was acknowledged.
 *
 * <h2>Design note</h2>
 *
 * <p>Artemis closes a consumer when it cannot convert the next message to the client's protocol, and takes back all that
 * it has delivered to that consumer. So one such message would have the messages before it delivered again and again.
 * One by one, they are acknowledged before the broker tries that message, which is then alone in being delivered again,
 * until the broker moves it away ({@code max-delivery-attempts}, 10 by default).
 *
 * <p>Thread-safe.
 */
final class OneByOne {
    /** More than were prefetched, and so ahead of that message, when the consumer was closed. */
    private static final int MESSAGES = 1_000;

    /** As long as the broker may take to try that message. */
    private static final long IDLE_NANOS = 3_000_000_000L;

    private final PrefetchWindow prefetchWindow;
    private int left;
    private long active;
    private volatile boolean isOn;
    private volatile boolean isConnectionOver;

    OneByOne(PrefetchWindow prefetchWindow) {
        this.prefetchWindow = prefetchWindow;
    }

    /** The broker has closed the consumer. */
    synchronized void start() {
        left = MESSAGES;
        active = Ticker.SYSTEM.nanos();
        set(true);
    }

    /** The consumer was closed for another reason. */
    synchronized void cancel() {
        set(false);
    }

    /** A message was received. */
    synchronized void received() {
        active = Ticker.SYSTEM.nanos();
        if (isOn && --left == 0) {
            stop();
        }
    }

    /** No message came in time. */
    synchronized void nothingReceived() {
        if (isOn && prefetchWindow.inFlight() == 0 && Ticker.SYSTEM.nanos() - active >= IDLE_NANOS) {
            stop();
        }
    }

    private void stop() {
        set(false);
        isConnectionOver = true;
    }

    private void set(boolean on) {
        isOn = on;
        prefetchWindow.oneByOne(on);
    }

    boolean isOn() {
        return isOn;
    }

    /** A connection is opened. */
    synchronized void connecting() {
        active = Ticker.SYSTEM.nanos();
        isConnectionOver = false;
    }

    /** Whether the connection, which prefetches no messages, is to be replaced by another that does. */
    boolean isConnectionOver() {
        return isConnectionOver;
    }
}
