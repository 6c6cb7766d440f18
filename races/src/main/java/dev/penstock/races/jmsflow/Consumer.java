package dev.penstock.races.jmsflow;

/** A contestant: takes messages from the queue, from when it is made until it is closed. */
interface Consumer extends AutoCloseable {
    /** Takes no more, and lets what it has come to its end. */
    @Override
    void close() throws Exception;
}
