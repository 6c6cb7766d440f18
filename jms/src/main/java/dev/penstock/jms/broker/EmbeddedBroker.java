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
 * An Artemis broker in this process, with its journal in a folder: what was sent persistently outlives the process. Any
 * queue that is named is there. Only the user of this process may enter the folder (0700). Safe for many threads.
 *
 * <h2>Design note</h2>
 *
 * <p>Nothing that is taken in is dropped: there is no largest number of deliveries (Artemis throws a message away after 10
 * when nobody names a dead-letter address; who consumes decides about that here), messages whose time to live is up go to the
 * address {@value #EXPIRED}, queues stay when they are empty, and what does not fit into {@value #MEMORY_MB} MB of memory for
 * an address is paged to the folder.
 */
public final class EmbeddedBroker implements AutoCloseable {
    /** How much of an address is held in memory, in MB; the rest is in files. */
    static final int MEMORY_MB = 32;

    /** Where messages go that nobody received while they were wanted: a queue of its own for each, {@code EXP.} and its name. */
    static final String EXPIRED = "expired";

    private static final String JOURNAL = "journal";
    private static final String BINDINGS = "bindings";
    private static final String PAGING = "paging";
    private static final String LARGE = "large-messages";
    private static final List<String> FOLDERS = List.of(JOURNAL, BINDINGS, PAGING, LARGE);

    private static final String UNDELIVERABLE = "undeliverable";
    /** How long another broker that has the folder open may take to end; Artemis itself waits for ever. */
    private static final long LOCK_WITHIN_MS = 5_000;

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
     * Starts one for this process alone.
     *
     * @param folder where its journal is; made when it is not there. One broker at a time
     * @throws IOException when it cannot start, with one line that says what to do
     */
    public static EmbeddedBroker in(Path folder) throws IOException {
        return start(folder, null, 0, null, LOCK_WITHIN_MS);
    }

    /**
     * Starts one that others reach too, without asking who they are: for this machine, or a network that is trusted.
     *
     * @param folder as above
     * @param host the address it listens on
     * @param port 1 to 65535, or 0 for any free one
     * @throws IOException as above
     */
    public static EmbeddedBroker on(Path folder, String host, int port) throws IOException {
        return start(folder, host, port, null, LOCK_WITHIN_MS);
    }

    /**
     * Starts one that others reach too, with one user and password for all, also in this process. The password travels
     * unencrypted.
     *
     * @param folder as above
     * @param host as above
     * @param port as above
     * @param user 1 character or more
     * @param password 1 character or more
     * @throws IllegalArgumentException when the user or the password is empty
     * @throws IOException as above
     */
    public static EmbeddedBroker on(Path folder, String host, int port, String user, String password)
            throws IOException {
        return start(folder, host, port, new SingleUserSecurity(user, password), LOCK_WITHIN_MS);
    }

    static EmbeddedBroker start(
            Path folder, @Nullable String host, int port, @Nullable SingleUserSecurity login, long lockWithinMs)
            throws IOException {
        int id = IDS.incrementAndGet();
        try {
            makePrivate(folder);
            Configuration configuration = configuration(folder, id);
            signIn(configuration, login);
            configuration.setJournalLockAcquisitionTimeout(lockWithinMs);
            if (host != null) {
                configuration.addAcceptorConfiguration(tcp(host, port));
            }
            ActiveMQServer server = ActiveMQServers.newActiveMQServer(configuration, null, login, true);
            AtomicReference<@Nullable Exception> why = new AtomicReference<>();
            server.registerActivationFailureListener(why::set);
            server.start();
            // One that has failed, because of a port that is taken for instance, is never active: that is not waited
            // for.
            if (why.get() != null || !server.waitForActivation(30, java.util.concurrent.TimeUnit.SECONDS)) {
                server.stop();
                throw Objects.requireNonNullElseGet(why.get(), () -> new IOException("another broker has it open"));
            }
            // What it has just made follows the umask, inside a folder that nobody else may enter.
            PrivateFiles.tighten(folder);
            String localUrl = "vm://" + id;
            return new EmbeddedBroker(server, localUrl, host == null ? localUrl : "tcp://" + host + ":" + port(server));
        } catch (Exception failed) {
            throw new IOException(
                    "the embedded broker cannot start in " + folder + ": " + words(failed)
                            + "; give it a folder that no other broker has open, and a port that is free",
                    failed);
        }
    }

    private static @Nullable String words(Exception failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof ActiveMQLockAcquisitionTimeoutException) {
                return "another broker has it open";
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
        // That of brokers that form a cluster, which this one does not: its default is known to all.
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

    /** Where clients in this process find it without a way over the network: {@code vm://}. */
    public String localUrl() {
        return localUrl;
    }

    /** Where clients find it: {@code vm://} in this process, or {@code tcp://} when it listens. */
    public String url() {
        return url;
    }

    /** How many messages wait in a queue, those that were delivered and are not acknowledged included; 0 when there is none. */
    public long count(String queue) {
        var found = server.locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    /** Stops it. What was sent persistently is there when one is started in the same folder again. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("the embedded broker did not stop: " + failed.getMessage(), failed);
        }
    }
}
