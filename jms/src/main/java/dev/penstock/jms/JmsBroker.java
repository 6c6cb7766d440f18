package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The address of a broker and how to connect to it. Opens nothing itself: each source and target opens its own
 * connection. Immutable.
 *
 * <pre>{@code
 * JmsBroker.at("tcp://broker.example:61616").user("penstock", password)   // Artemis, by its own protocol
 * JmsBroker.at("amqp://broker.example:5672")                             // any broker that speaks AMQP 1.0
 * }</pre>
 */
public final class JmsBroker {
    private final String where;
    private final FactorySource factorySource;
    private final Kind kind;
    private final @Nullable Login login;

    private record Login(Supplier<String> user, Supplier<String> password) {}

    /** The JMS client: some features go beyond the JMS API. */
    public enum Kind {
        /** Artemis, with its own protocol. */
        ARTEMIS,
        /** Qpid JMS, with AMQP 1.0. */
        QPID,
        /** Any other client. */
        OTHER
    }

    /** Provides a connection factory for one source or target. */
    private interface FactorySource {
        ConnectionFactory create(int prefetch) throws JMSException;
    }

    /**
     * A factory provided by the caller.
     *
     * @param abandoned the number of abandoned connection attempts still running
     */
    private record ProvidedFactory(ConnectionFactory factory, AtomicInteger abandoned) implements FactorySource {
        @Override
        public ConnectionFactory create(int prefetch) {
            return factory;
        }
    }

    private JmsBroker(String where, Kind kind, FactorySource factorySource, @Nullable Login login) {
        this.where = where;
        this.kind = kind;
        this.factorySource = factorySource;
        this.login = login;
    }

    /**
     * A broker by its URL. {@code tcp://} and {@code vm://} use the Artemis client, also as a list {@code
     * (tcp://a,tcp://b)}; {@code amqp://}, {@code amqps://} and {@code failover:(amqp://a,amqp://b)} connect to any
     * broker with AMQP 1.0. The query parameters are those of the client.
     *
     * <p>{@code class:com.example.ConnectionFactory?host=broker.example&port=1414} uses the client of any other broker:
     * the class is a {@code jakarta.jms.ConnectionFactory} with a no-argument constructor, loaded by the context class
     * loader of the calling thread. The query parameters are its properties, set by its setters; values that contain
     * {@code &} or {@code %} are percent-encoded.
     *
     * @throws IllegalArgumentException when the URL begins with none of these, or there is no such class or property
     */
    public static JmsBroker at(String url) {
        if (url.startsWith(NamedClient.PREFIX)) {
            return of(NamedClient.of(url), withoutSecrets(url));
        }
        String start = url.toLowerCase(Locale.ROOT);
        if (start.startsWith("tcp:") || start.startsWith("vm:") || start.startsWith("(tcp:")) {
            return new JmsBroker(
                    withoutSecrets(url), Kind.ARTEMIS, prefetch -> ClientFactories.artemis(url, prefetch), null);
        }
        if (start.startsWith("amqp:") || start.startsWith("amqps:") || start.startsWith("failover:")) {
            return new JmsBroker(withoutSecrets(url), Kind.QPID, prefetch -> ClientFactories.amqp(url, prefetch), null);
        }
        throw new IllegalArgumentException("unsupported broker URL '" + withoutSecrets(url)
                + "': it must begin with tcp://, vm://, amqp://, amqps://, failover: or class:");
    }

    /**
     * A broker by a connection factory. Features beyond the JMS API are used only for the clients that {@link
     * #at} supports.
     *
     * @param factory stays open; thread-safe, as JMS requires
     * @param where the name for logs and reports, in one short line without secrets
     */
    public static JmsBroker of(ConnectionFactory factory, String where) {
        return new JmsBroker(
                where, ClientFactories.kind(factory), new ProvidedFactory(factory, new AtomicInteger()), null);
    }

    /**
     * A broker by the class of its client's connection factory, as {@code class:} URLs are.
     *
     * @param factoryClass the name of a {@code jakarta.jms.ConnectionFactory} with a public no-argument constructor, loaded
     *     by the context class loader of the calling thread
     * @param properties its properties, set by its setters: text, numbers, {@code true} or {@code false}
     * @throws IllegalArgumentException when there is no such class or property, or a value does not fit; the message has
     *     one line, names the properties or the type, and contains no value
     */
    public static JmsBroker of(String factoryClass, Map<String, String> properties) {
        return of(NamedClient.of(factoryClass, properties), NamedClient.PREFIX + factoryClass);
    }

    /** Sets user and password. Default: from the URL. */
    public JmsBroker user(String name, String secret) {
        return user(() -> name, () -> secret);
    }

    /** As above, for a login that may change: called for each new connection. */
    public JmsBroker user(Supplier<String> name, Supplier<String> secret) {
        return new JmsBroker(where, kind, factorySource, new Login(name, secret));
    }

    /** The address for logs and reports, without secrets. */
    public String where() {
        return where;
    }

    /**
     * A client for receiving.
     *
     * @param prefetch the approximate number of messages of 1 KB that the client may prefetch; 0 or more. The settings
     *     of the URL or of a provided factory take precedence
     * @throws JMSException when the URL is invalid
     */
    public JmsClient receiving(int prefetch) throws JMSException {
        return receiving(prefetch, null);
    }

    /**
     * A client for receiving.
     *
     * @param prefetch as for {@link #receiving(int)}
     * @param clientId the JMS client id of its connections, unless the URL or a provided factory sets one; null for none
     * @throws JMSException when the URL is invalid
     */
    public JmsClient receiving(int prefetch, @Nullable String clientId) throws JMSException {
        JmsClient client = factorySource instanceof ProvidedFactory provided
                ? sharedClient(provided)
                : ownClient(factorySource.create(prefetch));
        return client.withClientId(clientId);
    }

    /** The JMS client. */
    public Kind kind() {
        return kind;
    }

    ConnectionFactory factory() throws JMSException {
        return factorySource.create(1);
    }

    /** A client for sending; a provided factory is not changed. */
    JmsClient sending(BrokerConnection.Use use) throws JMSException {
        return factorySource instanceof ProvidedFactory provided
                ? sharedClient(provided)
                : ownClient(ClientFactories.tuned(factorySource.create(1), use));
    }

    private JmsClient sharedClient(ProvidedFactory provided) {
        return new JmsClient(this, provided.factory, false, provided.abandoned);
    }

    private JmsClient ownClient(ConnectionFactory factory) {
        return new JmsClient(this, factory, true, new AtomicInteger());
    }

    /** Opens a connection of a factory, not started. */
    Connection connect(ConnectionFactory factory) throws JMSException {
        return login == null
                ? factory.createConnection()
                : factory.createConnection(login.user.get(), login.password.get());
    }

    private static String withoutSecrets(String url) {
        return url.replaceFirst("[?].*", "").replaceAll("//[^/@,)]*@", "//");
    }

    @Override
    public String toString() {
        return where;
    }
}
