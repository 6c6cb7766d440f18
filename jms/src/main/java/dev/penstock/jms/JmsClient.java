package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;

/** A client of a broker, made for one use. Opens connections; closes none of them. Safe for many threads. */
public final class JmsClient implements AutoCloseable {
    private final JmsBroker broker;
    private final ConnectionFactory factory;
    private final boolean isOurs;

    JmsClient(JmsBroker broker, ConnectionFactory factory, boolean isOurs) {
        this.broker = broker;
        this.factory = factory;
        this.isOurs = isOurs;
    }

    /**
     * Opens a connection, which is not started.
     *
     * @throws JMSException the broker cannot be reached, or will not have it
     */
    public Connection open() throws JMSException {
        return broker.user() == null
                ? factory.createConnection()
                : factory.createConnection(broker.user(), broker.password());
    }

    /** Where it leads. */
    public JmsBroker broker() {
        return broker;
    }

    /** Lets go of what the client holds beside its connections. Does nothing the second time. */
    @Override
    public void close() {
        if (isOurs && factory instanceof AutoCloseable held) {
            Link.quietly(held);
        }
    }
}
