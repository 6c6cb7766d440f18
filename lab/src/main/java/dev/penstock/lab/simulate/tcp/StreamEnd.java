package dev.penstock.lab.simulate.tcp;

/** What comes behind the bytes of one direction. */
enum StreamEnd {
    /** More bytes. */
    NONE,
    /** The sender's FIN: it sends no more, and may still listen. */
    FIN,
    /** The sender's reset, or it cannot be read any more. */
    RST,
    /** Nothing: a fault closes the connection here by FIN. */
    CUT,
    /** Nothing: a fault resets the connection here. */
    BREAK
}
