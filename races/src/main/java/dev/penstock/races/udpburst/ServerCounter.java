package dev.penstock.races.udpburst;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what one thread received and answered, for other threads to read. An increment costs a plain store. */
final class ServerCounter {
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();

    void received() {
        received.setOpaque(received.getPlain() + 1);
    }

    void answered() {
        answered.setOpaque(answered.getPlain() + 1);
    }

    Map<String, Long> counts() {
        return Map.of("received", received.getOpaque(), "answered", answered.getOpaque());
    }
}
