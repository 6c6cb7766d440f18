package dev.penstock.lab.simulate;

import java.util.Locale;

/**
 * The four ways in which a simulated dependency closes connections during a fault window. Over TLS, {@link #HEADER} and
 * {@link #FIN} end with a close_notify and then a FIN, like a server's orderly close; {@link #RST} and {@link #CUT}
 * send no TLS alert.
 */
public enum Closing {
    /** Answers have {@code Connection: close}, and the connection is closed after them. Idle connections stay open. */
    HEADER,
    /**
     * Idle connections are closed with FIN when the window opens; busy ones are closed when they become idle. A
     * connection accepted during the window serves its first request and is then closed.
     */
    FIN,
    /** As {@link #FIN}, with a reset (SO_LINGER 0) instead of a FIN; over TLS without an alert. */
    RST,
    /**
     * A request fully read during the window gets no answer: halfway through its delay the connection is closed with
     * FIN, over TLS without a close_notify. The request has still taken effect.
     */
    CUT;

    /** The name on the command line and in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it closes idle connections. */
    boolean closesIdle() {
        return this == FIN || this == RST;
    }
}
