package dev.penstock.lab.simulate;

import java.util.Locale;

/**
 * The four ways in which a simulated dependency closes connections while a fault window is open. Over TLS {@link #HEADER} and
 * {@link #FIN} end with a close_notify and then a FIN, as servers do that mean to close; {@link #RST} and {@link #CUT} say
 * nothing in TLS.
 */
public enum Closing {
    /** Answers bear {@code Connection: close}, and the connection is closed after them. Idle connections stay. */
    HEADER,
    /**
     * Idle connections are closed by FIN when the window opens; busy ones finish first and then, being idle, are closed. One
     * that is accepted within the window serves its first request and is closed after it.
     */
    FIN,
    /** As {@link #FIN}, with a reset (SO_LINGER 0) in place of the FIN; over TLS without an alert. */
    RST,
    /**
     * A request that is fully read within the window gets no answer: halfway through its delay the connection is closed
     * by FIN, over TLS without a close_notify. It has taken effect all the same.
     */
    CUT;

    /** The word for it on the command line and in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is idle connections that are closed. */
    boolean closesIdle() {
        return this == FIN || this == RST;
    }
}
