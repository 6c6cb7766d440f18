package dev.penstock.cli.probe;

import dev.penstock.Service;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsClient;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.BatchPort;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdlePort;
import dev.penstock.lab.probe.ProbePeer;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A broker: messages are sent to a queue, or connections opened where none is named. */
public final class JmsPeer implements ProbePeer {
    private static final String FAILOVER = "failover:";

    private final String url;
    private final JmsBroker broker;
    private final LoadSender loader;
    private final LongFunction<JmsMessage> messages;
    private final @Nullable JmsBatch batches;
    private final JmsClient quiet;

    /**
     * A peer by its URL.
     *
     * @param url of the broker, as {@link JmsBroker#at} takes it
     * @param loader sends messages there; closed with this; null to open connections in the place of that
     * @param messages makes a message from its number
     * @param batches sends many of them in one commit; null for none; the loader closes what is under it
     * @throws IllegalArgumentException when the URL is none
     */
    public JmsPeer(String url, @Nullable LoadSender loader, LongFunction<JmsMessage> messages, @Nullable JmsBatch batches) {
        this.url = url;
        this.broker = JmsBroker.at(url);
        this.messages = messages;
        this.batches = batches;
        try {
            this.quiet = JmsBroker.at(quiet(url, broker.kind())).receiving(0);
        } catch (JMSException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        this.loader = loader == null ? new Opening() : loader;
    }

    /**
     * Whether its client connects again by itself when a connection ends, and tells nobody: so it does with several addresses.
     *
     * @param url of a broker, as {@link JmsBroker#at} takes it
     */
    public static boolean reconnects(String url) {
        return url.startsWith("(") || url.regionMatches(true, 0, FAILOVER, 0, FAILOVER.length());
    }

    /** The URL with the client's own heartbeats switched off: they would keep idle connections alive. */
    static String quiet(String url, JmsBroker.Kind kind) {
        String more = kind == JmsBroker.Kind.ARTEMIS
                ? "connectionTTL=-1&clientFailureCheckPeriod=-1"
                : (reconnects(url) ? "failover.nested." : "") + "amqp.idleTimeout=0";
        return url + (url.contains("?") ? "&" : "?") + more;
    }

    /** Opens a connection and a session, and closes them. */
    private final class Opening implements LoadSender {
        private final Service<Long, Boolean> service = number -> {
            try (Connection connection = quiet.open()) {
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
        try (Connection connection = quiet.open()) {
            JmsConnection.roundTrip(connection);
            ConnectionMetaData told = connection.getMetaData();
            List<AnnouncedLimit> all = new ArrayList<>();
            all.add(new AnnouncedLimit(
                    "client",
                    told.getJMSProviderName() + " " + told.getProviderVersion() + ", JMS " + told.getJMSVersion(),
                    "what speaks to the broker, which does not tell its own version to clients"));
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
                        told("clientFailureCheckPeriod", "30000") + " ms",
                        "a client pings that often, which keeps connections alive that are killed later; not in this probe")
                : new AnnouncedLimit(
                        "amqp.idleTimeout",
                        told("amqp.idleTimeout", "60000") + " ms",
                        "a broker sends something every half of it, which keeps connections alive that are killed later; not in"
                                + " this probe");
    }

    private String told(String parameter, String otherwise) {
        int at = url.indexOf(parameter + "=");
        return at < 0 ? otherwise : url.substring(at + parameter.length() + 1).replaceFirst("&.*", "");
    }

    /** Null for a broker in this process, and where a client hides that a connection was killed. */
    @Override
    public @Nullable IdlePort idle() {
        return url.startsWith("vm:") || reconnects(url) ? null : this::open;
    }

    private IdleConnection open() throws IOException {
        try {
            return JmsConnection.of(quiet.open());
        } catch (JMSException e) {
            throw unreachable(e);
        }
    }

    private IOException unreachable(JMSException e) {
        return new IOException(
                where() + " gives no connection (" + e.getMessage() + "): see whether it can be reached so", e);
    }

    @Override
    public @Nullable BatchPort batch() {
        JmsBatch batch = batches;
        if (batch == null) {
            return null;
        }
        return new BatchPort() {
            private long sent;

            @Override
            public int most() {
                return JmsBatch.MAX;
            }

            @Override
            public Duration call(int items) throws Exception {
                List<JmsMessage> together = new ArrayList<>();
                for (int i = 0; i < items; i++) {
                    together.add(messages.apply(sent++));
                }
                return BatchTimer.timed(batch, together, (JmsReceipt receipt) -> {});
            }
        };
    }

    @Override
    public void close() {
        loader.close();
        // A client waits half a minute for the goodbye of a connection that died silently; nobody waits for that.
        Thread.ofVirtual().name("penstock-probe-jms-close").start(quiet::close);
    }
}
