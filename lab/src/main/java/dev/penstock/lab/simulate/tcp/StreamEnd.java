package dev.penstock.lab.simulate.tcp;

/** What follows the bytes of one direction. */
enum StreamEnd {
    /** More bytes. */
    NONE,
    /** The sender's FIN: it sends no more, but may still receive. */
    FIN,
    /** The sender's reset, or a read error. */
    RST,
    /** A fault closes the connection here with FIN. */
    CUT,
    /** A fault resets the connection here. */
    BREAK
}
