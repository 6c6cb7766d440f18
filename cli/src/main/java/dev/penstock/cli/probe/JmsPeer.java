package dev.penstock.cli.probe;

import dev.penstock.Service;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsClient;
import dev.penstock.jms.JmsMessage;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.ProbePeer;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A broker. Sends messages to a queue, or only opens connections if no queue is given. */
public final class JmsPeer implements ProbePeer {
    private static final String FAILOVER = "failover:";

    private final String url;
    private final JmsBroker broker;
    private final LoadSender loader;
    private final LongFunction<JmsMessage> messages;
    private final @Nullable JmsBatch batches;
    private final JmsClient withoutHeartbeat;
    private final AtomicLong sent = new AtomicLong();

    /**
     * Creates a peer.
     *
     * @param url the broker URL for {@link JmsBroker#at}
     * @param loader sends messages; closed with this; null to open connections instead
     * @param messages creates a message from its number
     * @param batches sends batches with one commit; null for none; the loader closes its target
     * @throws IllegalArgumentException invalid URL
     */
    public JmsPeer(
            String url, @Nullable LoadSender loader, LongFunction<JmsMessage> messages, @Nullable JmsBatch batches) {
        this.url = url;
        this.broker = JmsBroker.at(url);
        this.messages = messages;
        this.batches = batches;
        try {
            this.withoutHeartbeat =
                    JmsBroker.at(withoutHeartbeat(url, broker.kind())).receiving(0);
        } catch (JMSException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        this.loader = loader == null ? new ConnectionOpener() : loader;
    }

    /**
     * Whether the client reconnects by itself without notice when a connection ends, as it does with several addresses.
     *
     * @param url the broker URL for {@link JmsBroker#at}
     */
    public static boolean reconnects(String url) {
        return url.startsWith("(") || url.regionMatches(true, 0, FAILOVER, 0, FAILOVER.length());
    }

    /** The URL with the heartbeats of the client disabled: they would keep idle connections alive. */
    static String withoutHeartbeat(String url, JmsBroker.Kind kind) {
        String more = kind == JmsBroker.Kind.ARTEMIS
                ? "connectionTTL=-1&clientFailureCheckPeriod=-1"
                : (reconnects(url) ? "failover.nested." : "") + "amqp.idleTimeout=0";
        return url + (url.contains("?") ? "&" : "?") + more;
    }

    /** Opens a connection and a session, and closes them. */
    private final class ConnectionOpener implements LoadSender {
        private final Service<Long, Boolean> service = number -> {
            try (Connection connection = withoutHeartbeat.open()) {
                JmsConnection.roundTrip(connection);
            }
            return true;
        };

        @Override
        public LoadResult run(Load<?> load) throws InterruptedException {
            return load.run(service, number -> number);
        }

        @Override
        public void close() {}
    }

    @Override
    public String where() {
        return "jms:" + broker.where();
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return loader.run(load);
    }

    @Override
    public List<AnnouncedLimit> announced() throws IOException {
        try (Connection connection = withoutHeartbeat.open()) {
            JmsConnection.roundTrip(connection);
            ConnectionMetaData metaData = connection.getMetaData();
            List<AnnouncedLimit> all = new ArrayList<>();
            all.add(new AnnouncedLimit(
                    "client",
                    metaData.getJMSProviderName() + " " + metaData.getProviderVersion() + ", JMS "
                            + metaData.getJMSVersion(),
                    "the client; the broker does not report its version to clients"));
            all.add(heartbeat());
            return all;
        } catch (JMSException e) {
            throw unreachable(e);
        }
    }

    private AnnouncedLimit heartbeat() {
        return broker.kind() == JmsBroker.Kind.ARTEMIS
                ? new AnnouncedLimit(
                        "clientFailureCheckPeriod",
                        parameter("clientFailureCheckPeriod", "30000") + " ms",
                        "the ping interval of a client, which keeps connections alive if they are killed later; disabled in this probe")
                : new AnnouncedLimit(
                        "amqp.idleTimeout",
                        parameter("amqp.idleTimeout", "60000") + " ms",
                        "the broker sends a frame every half of it, which keeps connections alive if they are killed later;"
                                + " disabled in this probe");
    }

    private String parameter(String name, String fallback) {
        int at = url.indexOf(name + "=");
        return at < 0 ? fallback : url.substring(at + name.length() + 1).replaceFirst("&.*", "");
    }

    /** Null for an in-process broker, and for a client that hides killed connections. */
    @Override
    public IdleConnection.@Nullable Port idle() {
        return url.startsWith("vm:") || reconnects(url) ? null : this::open;
    }

    private IdleConnection open() throws IOException {
        try {
            return JmsConnection.of(withoutHeartbeat.open());
        } catch (JMSException e) {
            throw unreachable(e);
        }
    }

    private IOException unreachable(JMSException e) {
        return new IOException(
                where() + " cannot be reached (" + e.getMessage() + "); check the URL and the broker", e);
    }

    @Override
    public ProbePeer.@Nullable Batches batch() {
        return batches == null
                ? null
                : new TimedBatches<>(
                        batches, JmsBatch.MAX, () -> messages.apply(sent.getAndIncrement()), receipt -> {});
    }

    @Override
    public void close() {
        loader.close();
        // The client waits half a minute to close a silently dropped connection; do not wait for that.
        Thread.ofVirtual().name("penstock-probe-jms-close").start(withoutHeartbeat::close);
    }
}
