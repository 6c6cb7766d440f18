package dev.penstock.lab.simulate.tcp;

import dev.penstock.lab.simulate.Closing;

/**
 * A fault injected into a running {@link TcpSimulator} by {@link TcpSimulator#inject}; lasts until
 * {@link TcpSimulator#heal}. Bytes count from 0 per connection and direction when the fault starts.
 */
public sealed interface TcpFault {
    /** New connections are refused; open ones continue. */
    record Refuse() implements TcpFault {}

    /** Bytes are dropped. A connection with bytes during that time stays blackholed after the fault has ended. */
    record Blackhole() implements TcpFault {}

    /**
     * Connections end in both directions after some bytes in one direction.
     *
     * @param way the direction whose bytes count
     * @param after the number of bytes forwarded; the next one ends the connection. 0 or more
     * @param how {@link Closing#FIN} or {@link Closing#RST}
     * @param connections the number of connections to end; 1 or more
     */
    record Break(Way way, int after, Closing how, int connections) implements TcpFault {
        /** Checks the values. */
        public Break {
            if (how != Closing.FIN && how != Closing.RST) {
                throw new IllegalArgumentException("a connection breaks with fin or rst, not with " + how.word());
            }
            checked(after, connections);
        }
    }

    /**
     * A FIN follows some bytes in one direction, and later bytes in that direction are dropped; the other
     * direction continues.
     *
     * @param way the direction whose bytes count
     * @param after the number of bytes forwarded; 0 or more
     * @param connections the number of connections to half-close; 1 or more
     */
    record HalfClose(Way way, int after, int connections) implements TcpFault {
        /** Checks the values. */
        public HalfClose {
            checked(after, connections);
        }
    }

    /**
     * Limits the bandwidth, per connection and direction.
     *
     * @param bytesPerSecond 1 or more
     */
    record Slow(int bytesPerSecond) implements TcpFault {
        /** Checks the value. */
        public Slow {
            checked(0, bytesPerSecond);
        }
    }

    private static void checked(int after, int count) {
        if (after < 0 || count < 1) {
            throw new IllegalArgumentException(
                    "bytes must be 0 or more, connections and rates 1 or more, not " + after + " and " + count);
        }
    }
}
