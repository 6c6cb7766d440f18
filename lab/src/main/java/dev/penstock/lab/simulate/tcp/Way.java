package dev.penstock.lab.simulate.tcp;

/** The two directions of a connection. */
public enum Way {
    /** From the client to the server. */
    TO_SERVER,
    /** From the server to the client. */
    TO_CLIENT
}
