package dev.penstock.jms.broker;

import dev.penstock.state.DiskSpace;
import dev.penstock.state.PrivateFiles;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQLockAcquisitionTimeoutException;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 *
 * <p>Nothing is confirmed whose write failed, see {@link CheckedFiles}. After an I/O error the broker is stopped, and
 * started again in this process as soon as the disk has {@value #RESERVE_MB} MB free, since its memory and its files may
 * differ. The names of the queues and the URLs stay the same.
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
    /** The free disk space, in MB, below which messages are refused: room for the files of the broker and its neighbours. */
    public static final int RESERVE_MB = 32;

    /** How long to wait for another broker that has the folder open; Artemis itself waits for ever. */
    private static final long LOCK_TIMEOUT_MS = 5_000;

    private static final long MB = 1024 * 1024;
    private static final long RESERVE_BYTES = RESERVE_MB * MB;
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    /** The number of journal files, of 10 MB each, that are kept although they are empty. */
    static final int JOURNAL_POOL = 4;

    /** How often to look for room on the disk. */
    private static final long RETRY_MS = 1_000;

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

    private static final AtomicInteger IDS = new AtomicInteger();

    private final Launch launch;
    private final String localUrl;
    private final String url;
    private final AtomicLong faults = new AtomicLong();
    private final Semaphore faulted = new Semaphore(0);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Part part;
    private final Thread restarter;
    private volatile CheckedServer server;
    private volatile @Nullable String startFailure;
    private volatile boolean refusing;

    private EmbeddedBroker(Launch first) throws IOException {
        this.server = start(first);
        this.localUrl = "vm://" + first.id();
        String host = first.host();
        int port = host == null ? 0 : port(server);
        this.url = host == null ? localUrl : "tcp://" + host + ":" + port;
        this.launch = first.at(port);
        this.part = Supervisor.current().part("embedded-broker", first.folder().toString());
        this.restarter = part.start(Thread.ofPlatform().daemon().name("penstock-broker"), this::restartAfterFaults);
    }

    /** How to start the broker, again after an I/O error. */
    private record Launch(
            Path folder,
            @Nullable String host,
            int port,
            @Nullable SingleUserSecurity login,
            long lockTimeoutMs,
            int id) {
        Launch at(int actualPort) {
            return new Launch(folder, host, actualPort, login, lockTimeoutMs, id);
        }
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
     * Starts a broker that also accepts network connections, without authentication: for this machine or a
     * trusted network.
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
     * @param password not empty; called for each login, so it may change
     * @throws IllegalArgumentException when the user or the password is empty
     * @throws IOException as for {@link #in}
     */
    public static EmbeddedBroker on(Path folder, String host, int port, String user, Supplier<String> password)
            throws IOException {
        return start(folder, host, port, new SingleUserSecurity(user, password), LOCK_TIMEOUT_MS);
    }

    static EmbeddedBroker start(
            Path folder, @Nullable String host, int port, @Nullable SingleUserSecurity login, long lockTimeoutMs)
            throws IOException {
        return new EmbeddedBroker(new Launch(folder, host, port, login, lockTimeoutMs, IDS.incrementAndGet()));
    }

    private CheckedServer start(Launch how) throws IOException {
        Path folder = how.folder();
        CheckedServer starting = null;
        try {
            makePrivate(folder);
            Configuration configuration = configuration(how);
            starting = new CheckedServer(configuration, how.login(), new DiskFault(this::onFault));
            AtomicReference<@Nullable Exception> why = new AtomicReference<>();
            starting.registerActivationFailureListener(why::set);
            starting.start();
            // A broker that failed, for instance because its port is in use, never becomes active: do not wait for it.
            if (why.get() != null || !starting.waitForActivation(30, TimeUnit.SECONDS)) {
                throw Objects.requireNonNullElseGet(why.get(), () -> new IOException("another broker uses the folder"));
            }
            if (starting.fault() != null) {
                throw new IOException("it cannot write");
            }
            // Files created meanwhile have the mode of the umask, inside a private folder.
            PrivateFiles.tighten(folder);
            return starting;
        } catch (Exception failed) {
            String fault = starting == null ? null : starting.fault();
            if (starting != null) {
                starting.stopAfterFault();
            }
            String space = DiskSpace.usable(folder) < RESERVE_BYTES ? "; " + DiskSpace.describe(folder) : "";
            throw new IOException(
                    "the embedded broker cannot start in " + folder + ": " + (fault == null ? describe(failed) : fault)
                            + space + "; configure a folder that no other broker uses, and a free port",
                    failed);
        }
    }

    /** On a thread of the broker, which may hold its locks. */
    private void onFault() {
        faults.incrementAndGet();
        faulted.release();
    }

    private void restartAfterFaults() throws InterruptedException {
        while (closing.getCount() > 0) {
            boolean _ = faulted.tryAcquire(RETRY_MS, TimeUnit.MILLISECONDS);
            String stopped = stopped();
            if (stopped == null) {
                if (DiskSpace.usable(launch.folder()) < 2 * RESERVE_BYTES) {
                    freeDisk();
                }
            } else if (closing.getCount() > 0) {
                LOG.error(
                        "{}; {}; it starts again when the disk has {} MB free",
                        stopped,
                        DiskSpace.describe(launch.folder()),
                        RESERVE_MB);
                stopAfterFault();
                restart();
            }
        }
    }

    /** In a thread of its own, since its broken threads may wait for each other. */
    private void stopAfterFault() throws InterruptedException {
        Thread stopping =
                Thread.ofPlatform().daemon().name("penstock-broker-stop").start(server::stopAfterFault);
        while (!stopping.join(STOP_TIMEOUT) && closing.getCount() > 0) {
            startFailure = "stopping it takes more than " + STOP_TIMEOUT.toSeconds() + " s";
            LOG.warn("stopping the embedded broker takes more than {} s; interrupting it", STOP_TIMEOUT.toSeconds());
            stopping.interrupt();
        }
    }

    /** Why the broker is stopped; null when it runs. */
    private @Nullable String stopped() {
        String fault = server.fault();
        String again = startFailure;
        return fault == null
                ? null
                : "the embedded broker is stopped, because a write to " + launch.folder() + " failed (" + fault + ")"
                        + (again == null ? "" : "; " + again);
    }

    private void restart() throws InterruptedException {
        do {
            if (DiskSpace.usable(launch.folder()) >= RESERVE_BYTES) {
                try {
                    server = start(launch);
                    startFailure = null;
                    LOG.info("the embedded broker in {} runs again", launch.folder());
                    return;
                } catch (IOException again) {
                    startFailure = again.getMessage();
                    LOG.debug("starting the broker again failed", again);
                }
            }
        } while (!closing.await(RETRY_MS, TimeUnit.MILLISECONDS));
    }

    void freeDisk() {
        server.freeDisk(DiskSpace.usable(launch.folder()));
    }

    /** The number of I/O errors until now: a confirmation is valid only if this did not change since before its send. */
    public long faults() {
        return faults.get();
    }

    /**
     * Why a message cannot be stored at the moment, in one line with the folder and the free bytes of its disk: the
     * broker is stopped after an I/O error, or the disk has less than {@value #RESERVE_MB} MB free; null when it can.
     *
     * @param bytes the size of the message beyond that
     */
    public @Nullable String outage(long bytes) {
        String stopped = stopped();
        Path folder = launch.folder();
        boolean isLow = stopped == null && DiskSpace.usable(folder) - bytes < RESERVE_BYTES;
        if (isLow != refusing) {
            logRoom(isLow);
        }
        if (stopped != null) {
            return stopped + "; " + DiskSpace.describe(folder);
        }
        return isLow
                ? "the embedded broker accepts no messages, because " + DiskSpace.describe(folder) + ", and it keeps "
                        + RESERVE_MB + " MB free"
                : null;
    }

    private synchronized void logRoom(boolean isLow) {
        if (isLow != refusing) {
            refusing = isLow;
            String space = DiskSpace.describe(launch.folder());
            if (isLow) {
                LOG.warn("the embedded broker accepts no messages, because {}; it keeps {} MB free", space, RESERVE_MB);
            } else {
                LOG.info("the embedded broker accepts messages again: {}", space);
            }
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

    private static Configuration configuration(Launch how) throws Exception {
        Path folder = how.folder();
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setName("penstock-" + how.id());
        configuration.setJMXManagementEnabled(false);
        configuration.setJournalType(JournalType.NIO);
        configuration.setJournalLockAcquisitionTimeout(how.lockTimeoutMs());
        configuration.setBrokerInstance(folder.toFile());
        configuration.setJournalDirectory(folder.resolve(JOURNAL).toString());
        configuration.setBindingsDirectory(folder.resolve(BINDINGS).toString());
        configuration.setPagingDirectory(folder.resolve(PAGING).toString());
        configuration.setLargeMessagesDirectory(folder.resolve(LARGE).toString());
        // Otherwise the files of a backlog are kept for ever, and messages are refused although the queue is empty.
        configuration.setJournalPoolFiles(JOURNAL_POOL);
        // Artemis would let senders wait from 90 % use on, however much is free; this class refuses before.
        configuration.setMaxDiskUsage(-1);
        configuration.addAcceptorConfiguration("in-vm", "vm://" + how.id());
        configuration.addAddressSetting("#", addresses());
        signIn(configuration, how.login());
        String host = how.host();
        if (host != null) {
            configuration.addAcceptorConfiguration(tcp(host, how.port()));
            // Clients of the port wait below that; this process refuses its own messages before.
            configuration.setMinDiskFree(RESERVE_BYTES / 2);
            configuration.setDiskScanPeriod((int) RETRY_MS);
        }
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
     * The number of messages in a queue, including delivered ones that are not acknowledged; 0 when there is no
     * such queue.
     */
    public long count(String queue) {
        var found = server.locateQueue(queue);
        return found == null ? 0 : found.getMessageCount();
    }

    /** Stops the broker. Persistent messages are there when a broker is started in the same folder again. */
    @Override
    public void close() {
        closing.countDown();
        faulted.release();
        try {
            restarter.join();
            server.stop();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } catch (Exception failed) {
            throw new IllegalStateException("stopping the embedded broker failed: " + failed.getMessage(), failed);
        } finally {
            part.close();
        }
    }
}
