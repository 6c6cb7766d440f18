package dev.penstock.lab.simulate.tcp;

/** The two directions of a connection. */
enum Way {
    TO_SERVER,
    TO_CLIENT
}
