package dev.penstock.gateway;

import dev.penstock.Durations;
import dev.penstock.Source;
import dev.penstock.Ticker;
import dev.penstock.gateway.admin.AdminServer;
import dev.penstock.gateway.admin.WatchedFlow;
import dev.penstock.gateway.admin.WatchedGateway;
import dev.penstock.gateway.config.AdminConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.http.HttpSource;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.meter.Accounting;
import dev.penstock.state.StateFile;
import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.UdpSource;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs the flows of a file.
 *
 * <pre>{@code
 * FlowFile file = FlowFile.read(Path.of("flows.yaml"));
 * try (Gateway gateway = Gateway.start(file.config())) {
 *     ...
 *     Map<String, Accounting> accounts = gateway.drain();
 * }
 * }</pre>
 *
 * <h2>Design note</h2>
 *
 * <p>Start: every port is bound before the first transaction is carried. A port that is bound accepts connections at once,
 * so requests that come before the last part is up wait at a door. If any part fails to start, all the others are closed
 * again, and nothing was carried. The broker of this process is started before all else, and stopped after all else.
 *
 * <p>Drain: sources let nothing new in; flows finish what is in flight, up to {@code shutdown.drain}. What is in flight
 * then loses its connection, and so ends as unknown: every transaction has an ending before the process ends.
 *
 * <p>Safe for many threads.
 */
public final class Gateway implements WatchedGateway, AutoCloseable {
    /** How long transactions may take to end after their connections were closed. */
    private static final Duration LAST_ENDINGS = Duration.ofSeconds(2);

    /** How long the last answers may take to leave after their transactions have ended. */
    private static final Duration LAST_ANSWERS = Duration.ofMillis(250);

    private static final long LOOK_NANOS = 5_000_000;

    private final GatewayConfig config;
    /** Of this gateway alone: another one in this process does not change its readiness. */
    private final Supervisor supervisor;

    private final MemoryBudget memory = MemoryBudget.current();

    private final Ticker ticker = Ticker.SYSTEM;
    private final StartGate startGate = new StartGate();
    private final Brokers brokers;
    private final IdempotencyStores stores;
    private final List<GatewayFlow> flows;
    private volatile @Nullable AdminServer admin;
    private volatile boolean draining;
    private @Nullable Map<String, Accounting> drained;

    /** Not the monitor of the gateway, which a drain holds: closing does not wait for it. */
    private final Object closing = new Object();

    private Gateway(GatewayConfig config, Brokers brokers, Supervisor supervisor) {
        this.config = config;
        this.supervisor = supervisor;
        this.brokers = brokers;
        // One for all parts, since each writes the whole file.
        StateFile learned = StateFile.at(config.state().value());
        this.stores = new IdempotencyStores(config.state().value(), learned);
        this.flows =
                SourceSetup.attach(config, BuiltFlow.all(config, stores, brokers, learned), startGate, stores, brokers);
    }

    /**
     * Builds and starts everything that a file describes.
     *
     * @throws IOException when a part cannot start, with one line that names it and says what to do; nothing is left open
     */
    public static Gateway start(GatewayConfig config) throws IOException {
        Supervisor supervisor = Supervisor.create();
        return memory(config).whileCurrent(() -> supervisor.whileCurrent(() -> start(config, supervisor)));
    }

    /** The budget that all flows of a file share. */
    static MemoryBudget memory(GatewayConfig config) {
        Configured<Long> bytes = config.memory();
        return bytes == null ? MemoryBudget.auto() : MemoryBudget.of(bytes.value());
    }

    private static Gateway start(GatewayConfig config, Supervisor supervisor) throws IOException {
        Gateway gateway = build(config, supervisor);
        try {
            gateway.open();
        } catch (IOException | RuntimeException failed) {
            gateway.startGate.refuse();
            gateway.close();
            throw failed;
        }
        return gateway;
    }

    private static Gateway build(GatewayConfig config, Supervisor supervisor) throws IOException {
        Brokers brokers = Brokers.start(config);
        try {
            return new Gateway(config, brokers, supervisor);
        } catch (RuntimeException failed) {
            brokers.close();
            throw failed;
        }
    }

    private synchronized void open() throws IOException {
        AdminConfig pages = config.admin();
        if (pages != null) {
            admin = AdminServer.start(pages.host().value(), pages.port().value(), token(pages), this);
        }
        stores.open();
        for (Source source : sources()) {
            try {
                source.start();
            } catch (IOException failed) {
                throw new IOException("flow " + nameOn(source) + ": " + failed.getMessage(), failed);
            }
        }
        startGate.open();
    }

    private static @Nullable String token(AdminConfig pages) {
        return pages.token() == null ? null : pages.token().value().value();
    }

    private List<Source> sources() {
        return flows.stream().map(GatewayFlow::source).distinct().toList();
    }

    private String nameOn(Source source) {
        return flows.stream()
                .filter(flow -> flow.source().equals(source))
                .findFirst()
                .map(GatewayFlow::name)
                .orElse("");
    }

    /** Where the admin pages are, or null when the file asks for none. */
    public @Nullable URI adminAddress() {
        AdminServer pages = admin;
        return pages == null ? null : pages.address();
    }

    @Override
    public List<? extends WatchedFlow> flows() {
        return flows;
    }

    @Override
    public boolean isStarted() {
        return startGate.isOpen();
    }

    @Override
    public List<String> outages() {
        List<String> all = new ArrayList<>();
        for (Source source : sources()) {
            String outage = source.outage();
            if (outage != null) {
                all.add("flow " + nameOn(source) + ": " + outage);
            }
        }
        return all;
    }

    @Override
    public Supervisor supervisor() {
        return supervisor;
    }

    @Override
    public MemoryBudget memory() {
        return memory;
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    /**
     * Lets nothing new in, finishes what is in flight, and closes sources and targets. The admin pages stay until {@link
     * #close}. The second time it only returns what the first time returned.
     *
     * @return the accounting of each flow, in the order of the file; each {@link Accounting#isSettled} unless a target did
     *     not even end when its connections were closed
     */
    public Map<String, Accounting> drain() {
        draining = true;
        return drainOnce();
    }

    private synchronized Map<String, Accounting> drainOnce() {
        Map<String, Accounting> known = drained;
        if (known != null) {
            return known;
        }
        sources().forEach(Source::stopAccepting);
        long end = ticker.nanos() + Durations.nanos(config.drain().value());
        awaitArrived(end);
        finishBy(end);
        if (inFlight() > 0) {
            closeTargets();
            finishBy(ticker.nanos() + LAST_ENDINGS.toNanos());
        }
        letLastAnswersLeave();
        closeAll();
        Map<String, Accounting> accounts = new LinkedHashMap<>();
        flows.forEach(flow -> accounts.put(flow.name(), flow.accounting()));
        drained = accounts;
        return accounts;
    }

    /** Datagrams that had come are yet to enter their flow, which would refuse them once it drains. */
    private void awaitArrived(long end) {
        while (sources().stream().anyMatch(source -> source instanceof UdpSource udp && udp.isBusy())
                && ticker.nanos() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            ticker.parkUntil(Math.min(end, ticker.nanos() + LOOK_NANOS));
        }
    }

    private void finishBy(long end) {
        flows.forEach(flow -> flow.built().flow().drain(Duration.ZERO));
        flows.forEach(flow -> flow.built().flow().drain(Duration.ofNanos(Math.max(0, end - ticker.nanos()))));
    }

    private long inFlight() {
        return flows.stream().mapToLong(flow -> flow.accounting().inFlight()).sum();
    }

    private void letLastAnswersLeave() {
        long end = ticker.nanos() + LAST_ANSWERS.toNanos();
        while (connected() > 0
                && ticker.nanos() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            ticker.parkUntil(Math.min(end, ticker.nanos() + LOOK_NANOS));
        }
    }

    /** Clients that are connected, messages that have ended and are yet to be acknowledged, and datagrams in hand. */
    private int connected() {
        return sources().stream()
                .mapToInt(source -> switch (source) {
                    case HttpSource http -> http.connections();
                    case JmsSource jms -> jms.inFlight();
                    case UdpSource udp -> Math.toIntExact(udp.counts().getOrDefault("waiting", 0L));
                    default -> 0;
                })
                .sum();
    }

    private void closeTargets() {
        synchronized (closing) {
            flows.forEach(flow -> flow.built().close());
        }
    }

    private void closeAll() {
        synchronized (closing) {
            sources().forEach(Source::close);
            closeTargets();
            stores.close();
            brokers.close();
        }
    }

    /**
     * Closes everything at once; what is in flight ends as unknown. {@link #drain} first to finish it. A drain that is
     * running ends early, with the endings that this causes.
     */
    @Override
    public void close() {
        draining = true;
        closeAll();
        AdminServer pages = admin;
        if (pages != null) {
            pages.close();
        }
    }
}
