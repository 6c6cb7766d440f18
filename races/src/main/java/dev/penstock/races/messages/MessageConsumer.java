package dev.penstock.races.messages;

/** A contestant: consumes from its creation until it is closed. */
public interface MessageConsumer extends AutoCloseable {
    /** Stops receiving, and completes the messages in flight. */
    @Override
    void close();

    /** Creates a consumer, which starts immediately. */
    interface Factory {
        /**
         * Starts it.
         *
         * @param url of the broker
         * @param handling of its messages
         */
        MessageConsumer at(String url, MessageWork handling) throws Exception;
    }
}
