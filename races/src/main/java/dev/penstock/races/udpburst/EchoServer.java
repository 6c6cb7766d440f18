package dev.penstock.races.udpburst;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A contestant on the JVM, in its own process. It answers datagrams from its creation until its process exits. */
interface EchoServer {
    /** Its port on loopback. */
    int port();

    /** The size of its receive buffer in bytes of kernel memory. */
    long buffer();

    /**
     * Its counters by name: {@code received} and {@code answered}, plus {@code dropped.PLACE} if it counts drops. May
     * be called from any thread; the values are exact while no datagrams arrive.
     */
    Map<String, Long> counts();

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
}
