package dev.penstock.lab.simulate.tcp;

import dev.penstock.lab.simulate.Closing;

/**
 * A fault that a running {@link TcpSimulator} is given by {@link TcpSimulator#inject}, and that lasts until {@link
 * TcpSimulator#heal}. Bytes count from 0 on each connection and way when the fault begins.
 */
public sealed interface TcpFault {
    /** Connecting is refused. Connections that are open go on. */
    record Refuse() implements TcpFault {}

    /** Bytes are taken and thrown away. A connection on which bytes came in that time stays silent after the fault has ended. */
    record Blackhole() implements TcpFault {}

    /**
     * Connections end, both ways, once so many bytes have passed one way.
     *
     * @param way which bytes count
     * @param after how many pass; the next one finds the connection ended. 0 or more
     * @param how {@link Closing#FIN} or {@link Closing#RST}
     * @param connections how many connections end; 1 or more
     */
    record Break(Way way, int after, Closing how, int connections) implements TcpFault {
        /** Checks the values. */
        public Break {
            if (how != Closing.FIN && how != Closing.RST) {
                throw new IllegalArgumentException("a connection is broken by fin or rst, not by " + how.word());
            }
            checked(after, connections);
        }
    }

    /**
     * A FIN follows so many bytes of one way, and what comes behind it that way is thrown away; the other way goes on.
     *
     * @param way which bytes count
     * @param after how many pass; 0 or more
     * @param connections how many connections are half closed; 1 or more
     */
    record HalfClose(Way way, int after, int connections) implements TcpFault {
        /** Checks the values. */
        public HalfClose {
            checked(after, connections);
        }
    }

    /**
     * Bytes pass slowly, each way of each connection for itself.
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
                    "bytes are 0 or more, connections and rates 1 or more, not " + after + " and " + count);
        }
    }
}
