package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where queues are, and how to get there. Opens nothing itself: each source and target opens what it needs. Immutable.
 *
 * <pre>{@code
 * JmsBroker.at("tcp://broker.example:61616").user("penstock", password)   // Artemis, by its own protocol
 * JmsBroker.at("amqp://broker.example:5672")                             // any broker that speaks AMQP 1.0
 * }</pre>
 */
public final class JmsBroker {
    private final String where;
    private final Maker maker;
    private final Kind kind;
    private final @Nullable String user;
    private final @Nullable String password;

    /** Which client leads there: each can do something beyond what JMS says. */
    public enum Kind {
        /** Artemis, by its own protocol. */
        ARTEMIS,
        /** Qpid's, by AMQP 1.0. */
        QPID,
        /** Any other. */
        OTHER
    }

    /** Makes a factory for one source or target alone. */
    private interface Maker {
        ConnectionFactory make() throws JMSException;
    }

    /**
     * One that was given.
     *
     * @param abandoned how many of its openings were abandoned and still run
     */
    private record Given(ConnectionFactory factory, AtomicInteger abandoned) implements Maker {
        @Override
        public ConnectionFactory make() {
            return factory;
        }
    }

    private JmsBroker(String where, Kind kind, Maker maker, @Nullable String user, @Nullable String password) {
        this.where = where;
        this.kind = kind;
        this.maker = maker;
        this.user = user;
        this.password = password;
    }

    /**
     * A broker by its URL: {@code tcp://} and {@code vm://} lead to Artemis, also as a list {@code (tcp://a,tcp://b)};
     * {@code amqp://}, {@code amqps://} and {@code failover:(amqp://a,amqp://b)} to any broker that speaks AMQP 1.0. What
     * stands behind the question mark is the client's own.
     *
     * <p>{@code class:com.example.ConnectionFactory?host=broker.example&port=1414} leads to any other broker by its own
     * client: the class is a {@code jakarta.jms.ConnectionFactory} with a constructor without parameters, found by the context
     * class loader of the calling thread; what stands behind the question mark are its properties, set by its setters, with
     * values percent-encoded where they hold {@code &} or {@code %}.
     *
     * @throws IllegalArgumentException when it begins with none of these, or there is no such class or property
     */
    public static JmsBroker at(String url) {
        if (url.startsWith(NamedClient.PREFIX)) {
            return of(NamedClient.of(url), shown(url));
        }
        String start = url.toLowerCase(Locale.ROOT);
        if (start.startsWith("tcp:") || start.startsWith("vm:") || start.startsWith("(tcp:")) {
            return new JmsBroker(shown(url), Kind.ARTEMIS, () -> ClientFactories.artemis(url), null, null);
        }
        if (start.startsWith("amqp:") || start.startsWith("amqps:") || start.startsWith("failover:")) {
            return new JmsBroker(shown(url), Kind.QPID, () -> ClientFactories.amqp(url), null, null);
        }
        throw new IllegalArgumentException(
                "a broker's URL begins with tcp://, vm://, amqp://, amqps://, failover: or class:, not '" + shown(url)
                        + "'");
    }

    /**
     * A broker by the factory of its own client. What only that client can do is not made use of, unless it is one that
     * {@link #at} knows.
     *
     * @param factory stays open; safe for many threads, as JMS asks for
     * @param where where it leads, in one short line without secrets
     */
    public static JmsBroker of(ConnectionFactory factory, String where) {
        return new JmsBroker(where, ClientFactories.kind(factory), new Given(factory, new AtomicInteger()), null, null);
    }

    /** The same with a name and a password to sign in with. Default: what the URL says. */
    public JmsBroker user(String name, String secret) {
        return new JmsBroker(where, kind, maker, name, secret);
    }

    /** Where it is, without secrets. */
    public String where() {
        return where;
    }

    /**
     * A client for who receives.
     *
     * @param prefetch about how many messages of 1 KB it may hold beside those that were asked for; 0 or more. What the URL
     *     says, or who made the factory, comes first
     * @throws JMSException the URL cannot be read
     */
    public JmsClient receiving(int prefetch) throws JMSException {
        if (maker instanceof Given given) {
            return sharedClient(given);
        }
        return ownClient(ClientFactories.receiving(maker.make(), prefetch));
    }

    /** Whether a connection leads to a broker that is known to have no transactions: RabbitMQ by AMQP 1.0. */
    public static boolean lacksTransactions(Connection connection) {
        return QpidPeer.isRabbit(connection);
    }

    /**
     * Asks for a queue where the broker would confirm what is sent to it and drop it if it is not there: RabbitMQ 3 by AMQP 1.0.
     *
     * @throws JMSException it is not there; the session may be of no use any more
     */
    public static void requireQueue(Connection connection, Session session, Queue queue) throws JMSException {
        QpidPeer.requireQueue(connection, session, queue);
    }

    /** Which client leads there. */
    public Kind kind() {
        return kind;
    }

    ConnectionFactory factory() throws JMSException {
        return maker.make();
    }

    /** A client told what to wait for; one that somebody else made is left as it is. */
    JmsClient sending(BrokerConnection.Use use) throws JMSException {
        return maker instanceof Given given ? sharedClient(given) : ownClient(ClientFactories.tuned(maker.make(), use));
    }

    private JmsClient sharedClient(Given given) {
        return new JmsClient(this, given.factory, false, given.abandoned);
    }

    private JmsClient ownClient(ConnectionFactory factory) {
        return new JmsClient(this, factory, true, new AtomicInteger());
    }

    @Nullable
    String user() {
        return user;
    }

    @Nullable
    String password() {
        return password;
    }

    private static String shown(String url) {
        return url.replaceFirst("[?].*", "").replaceAll("//[^/@,)]*@", "//");
    }

    @Override
    public String toString() {
        return where;
    }
}
