package dev.penstock.races.jmsflow;

/** A contestant: consumes the queue from its creation until it is closed. */
interface Consumer extends AutoCloseable {
    /** Stops receiving, and completes the messages in flight. */
    @Override
    void close();
}
