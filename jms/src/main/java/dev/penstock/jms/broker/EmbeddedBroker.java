package dev.penstock.jms.broker;

import dev.penstock.state.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQLockAcquisitionTimeoutException;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;

/**
 * An Artemis broker in this process, with its journal in a folder: persistent messages survive a restart of the
 * process. Queues are created on first use. The folder is accessible to the current user only (mode 0700). Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>No accepted message is dropped. There is no maximum number of deliveries (Artemis discards a message after 10
 * deliveries if there is no dead-letter address; here the consumer decides). Expired messages go to the address {@value
 * #EXPIRED}. Empty queues are kept. Messages that exceed {@value #MEMORY_MB} MB of memory for an address are paged to
 * the folder.
 */
public final class EmbeddedBroker implements AutoCloseable {
    /** The memory for the messages of an address, in MB; the rest is paged to files. */
    static final int MEMORY_MB = 32;

    /** The address for expired messages; each queue has its own queue there, {@code EXP.} and its name. */
    static final String EXPIRED = "expired";

    private static final String JOURNAL = "journal";
    private static final String BINDINGS = "bindings";
    private static final String PAGING = "paging";
    private static final String LARGE = "large-messages";
    private static final List<String> FOLDERS = List.of(JOURNAL, BINDINGS, PAGING, LARGE);

    private static final String UNDELIVERABLE = "undeliverable";
    /** How long to wait for another broker that has the folder open; Artemis itself waits for ever. */
    private static final long LOCK_TIMEOUT_MS = 5_000;

    private static final long MB = 1024 * 1024;
    private static final AtomicInteger IDS = new AtomicInteger();

    private final ActiveMQServer server;
    private final String localUrl;
    private final String url;

    private EmbeddedBroker(ActiveMQServer server, String localUrl, String url) {
        this.server = server;
        this.localUrl = localUrl;
        this.url = url;
    }

    /**
     * Starts a broker for this process only.
     *
     * @param folder the folder of its journal, for one broker at a time; created if missing
     * @throws IOException when it cannot start; the message has one line and says what to do
     */
    public static EmbeddedBroker in(Path folder) throws IOException {
        return start(folder, null, 0, null, LOCK_TIMEOUT_MS);
    }

    /**
     * Starts a broker that also accepts network connections, without authentication: for this machine or a trusted
     * network.
     *
     * @param folder as for {@link #in}
     * @param host the address to listen on
     * @param port 1 to 65535, or 0 for any free port
     * @throws IOException as for {@link #in}
     */
    public static EmbeddedBroker on(Path folder, String host, int port) throws IOException {
        return start(folder, host, port, null, LOCK_TIMEOUT_MS);
    }

    /**
     * Starts a broker that also accepts network connections, with one user and password for all clients, including
     * those in this process. The password is sent unencrypted.
     *
     * @param folder as for {@link #in}
     * @param host the address to listen on
     * @param port 1 to 65535, or 0 for any free port
     * @param user not empty
     * @param password not empty
     * @throws IllegalArgumentException when the user or the password is empty
     * @throws IOException as for {@link #in}
     */
    public static EmbeddedBroker on(Path folder, String host, int port, String user, String password)
            throws IOException {
        return start(folder, host, port, new SingleUserSecurity(user, password), LOCK_TIMEOUT_MS);
    }

    static EmbeddedBroker start(
            Path folder, @Nullable String host, int port, @Nullable SingleUserSecurity login, long lockTimeoutMs)
            throws IOException {
        int id = IDS.incrementAndGet();
        try {
            makePrivate(folder);
            Configuration configuration = configuration(folder, id);
            signIn(configuration, login);
            configuration.setJournalLockAcquisitionTimeout(lockTimeoutMs);
            if (host != null) {
                configuration.addAcceptorConfiguration(tcp(host, port));
            }
            ActiveMQServer server = ActiveMQServers.newActiveMQServer(configuration, null, login, true);
            AtomicReference<@Nullable Exception> why = new AtomicReference<>();
            server.registerActivationFailureListener(why::set);
            server.start();
            // A broker that failed, for instance because its port is in use, never becomes active: do not wait for it.
            if (why.get() != null || !server.waitForActivation(30, java.util.concurrent.TimeUnit.SECONDS)) {
                server.stop();
                throw Objects.requireNonNullElseGet(why.get(), () -> new IOException("another broker uses the folder"));
            }
            // Files created meanwhile have the mode of the umask, inside a private folder.
            PrivateFiles.tighten(folder);
            String localUrl = "vm://" + id;
            return new EmbeddedBroker(server, localUrl, host == null ? localUrl : "tcp://" + host + ":" + port(server));
        } catch (Exception failed) {
            throw new IOException(
                    "the embedded broker cannot start in " + folder + ": " + describe(failed)
                            + "; configure a folder that no other broker uses, and a free port",
                    failed);
        }
    }

    private static @Nullable String describe(Exception failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ActiveMQLockAcquisitionTimeoutException) {
                return "another broker uses the folder";
            }
        }
        return failed.getMessage();
    }

    private static Configuration configuration(Path folder, int id) throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setName("penstock-" + id);
        configuration.setJMXManagementEnabled(false);
        configuration.setJournalType(JournalType.NIO);
        configuration.setBrokerInstance(folder.toFile());
        configuration.setJournalDirectory(folder.resolve(JOURNAL).toString());
        configuration.setBindingsDirectory(folder.resolve(BINDINGS).toString());
        configuration.setPagingDirectory(folder.resolve(PAGING).toString());
        configuration.setLargeMessagesDirectory(folder.resolve(LARGE).toString());
        configuration.addAcceptorConfiguration("in-vm", "vm://" + id);
        configuration.addAddressSetting("#", addresses());
        return configuration;
    }

    private static void makePrivate(Path folder) throws IOException {
        PrivateFiles.createFolder(folder);
        for (String inside : FOLDERS) {
            PrivateFiles.createFolder(folder.resolve(inside));
        }
        PrivateFiles.tighten(folder);
    }

    private static void signIn(Configuration configuration, @Nullable SingleUserSecurity login) {
        configuration.setSecurityEnabled(login != null);
        // The password of cluster connections, which are not used: the default is publicly known.
        configuration.setClusterPassword(UUID.randomUUID().toString());
    }

    private static AddressSettings addresses() {
        return new AddressSettings()
                .setMaxDeliveryAttempts(-1)
                .setDeadLetterAddress(SimpleString.of(UNDELIVERABLE))
                .setExpiryAddress(SimpleString.of(EXPIRED))
                .setAutoCreateExpiryResources(true)
                .setAutoCreateQueues(true)
                .setAutoCreateAddresses(true)
                .setAutoDeleteQueues(false)
                .setAutoDeleteAddresses(false)
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                .setMaxSizeBytes(MEMORY_MB * MB)
                .setPageSizeBytes((int) (4 * MB));
    }

    private static TransportConfiguration tcp(String host, int port) {
        return new TransportConfiguration(
                org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory.class.getName(),
                Map.of("host", host, "port", port),
                "tcp");
    }

    private static int port(ActiveMQServer server) {
        return ((NettyAcceptor) server.getRemotingService().getAcceptor("tcp")).getActualPort();
    }

    /** The URL for clients in this process, without the network: {@code vm://}. */
    public String localUrl() {
        return localUrl;
    }

    /** The URL for clients: {@code tcp://} if the broker listens, otherwise {@code vm://}. */
    public String url() {
        return url;
    }

    /**
     * The number of messages in a queue, including delivered ones that are not acknowledged; 0 when there is no such
     * queue.
     */
    public long count(String queue) {
        var found = server.locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    /** Stops the broker. Persistent messages are there when a broker is started in the same folder again. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("stopping the embedded broker failed: " + failed.getMessage(), failed);
        }
    }
}
