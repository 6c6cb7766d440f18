package dev.penstock.gateway;

import dev.penstock.Accounting;
import dev.penstock.Source;
import dev.penstock.StateFile;
import dev.penstock.Ticker;
import dev.penstock.fleet.FleetShare;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.admin.AdminServer;
import dev.penstock.gateway.admin.SettingChanges;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.status.GatewayStore;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.StartGate;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.observe.Binding;
import dev.penstock.observe.PenstockJmx;
import dev.penstock.observe.TransactionLog;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.supervise.Supervisor;
import dev.penstock.supervise.ThreadWatch;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
 * <p>Start: every port is bound before the first transaction is processed. A bound port accepts connections at once, so
 * requests that arrive before the last part has started wait at a gate. If any part fails to start, all others are
 * closed again and no transaction was processed. What the flows of a transport share, such as the embedded broker, is
 * started first and stopped last.
 *
 * <p>Drain: sources accept no new transactions; flows finish those in flight, for up to {@code shutdown.drain}. The
 * remaining ones then lose their connections and end as unknown, so every transaction has an ending before the
 * process exits.
 *
 * <p>Thread-safe.
 */
public final class Gateway implements WatchedProcess, AutoCloseable {
    /**
     * What a gateway is built of beside its configuration.
     *
     * @param withoutState whether learned values are not kept unless the configuration names a file
     * @param customizer completes the stages of each flow, given its name
     */
    record Embedding(Transports transports, boolean withoutState, BiConsumer<String, FlowBuilder<Object>> customizer) {}

    /** How long to wait for transactions to end after their connections were closed. */
    private static final Duration LAST_ENDINGS = Duration.ofSeconds(2);

    /** How long to wait for the last answers to be written. A client that reads nothing delays the end for so long. */
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);

    /** How long connected clients may send one more request, which is rejected. */
    private static final Duration LAST_REQUESTS = Duration.ofMillis(250);

    private static final long POLL_NANOS = 5_000_000;

    private final GatewayConfig config;
    /** One per gateway: another gateway in this process does not affect its readiness. */
    private final Supervisor supervisor;

    private final MemoryBudget memory = MemoryBudget.current();

    private final Ticker ticker = Ticker.SYSTEM;
    private final StartGate startGate = new StartGate();
    private final StateFile learned;
    private final GatewayStore store;
    private final FlowObservers observers;
    private final BoundFlows bound;
    private volatile @Nullable AdminServer admin;
    private volatile Binding mbeans = () -> {};
    private final ThreadWatch threads;
    private volatile boolean draining;
    /** How many transactions were cut off because the time of the drain had passed. */
    private volatile long cutOff;

    private @Nullable Map<String, Accounting> drained;

    /** Not the monitor of the gateway, which a drain holds: close must not wait for it. */
    private final Object closing = new Object();

    private Gateway(GatewayConfig config, Embedding how, Supervisor supervisor, ThreadWatch threads)
            throws IOException {
        this.config = config;
        this.threads = threads;
        this.supervisor = supervisor;
        // Shared by all parts, because each write replaces the whole file.
        this.learned = how.withoutState() && !config.state().inFile()
                ? StateFile.none()
                : StateFile.at(config.state().value());
        this.store = new GatewayStore(config, learned);
        TransportContext context = new TransportContext(config, learned, store, startGate, false);
        this.observers = FlowObservers.open(config);
        try {
            this.bound = BoundFlows.of(
                    context,
                    how.transports(),
                    (flow, stages) -> {
                        observers.observe(flow, stages);
                        how.customizer().accept(flow.name(), stages);
                    },
                    observers.records());
        } catch (IOException | RuntimeException failed) {
            store.close();
            observers.close();
            throw failed;
        }
    }

    /**
     * Builds and starts all flows of a configuration.
     *
     * @throws IOException a part cannot start; the message names it and says what to do. Nothing stays open
     */
    public static Gateway start(GatewayConfig config) throws IOException {
        return start(config, () -> {});
    }

    /**
     * As above.
     *
     * @param noThreads called once when the process could not start a thread for 5 s, so that it should end; it is not ready then
     */
    public static Gateway start(GatewayConfig config, Runnable noThreads) throws IOException {
        return start(config, new Embedding(Transports.load(), false, (_, _) -> {}), noThreads);
    }

    /**
     * Builds and starts flows that this program calls by {@link #flow}. What they learn is kept in a file only if the
     * configuration names one.
     *
     * @param customizer completes the stages of each flow, given its name, before it is built
     * @throws IOException as {@link #start}
     */
    public static Gateway embed(
            GatewayConfig config, Transports transports, BiConsumer<String, FlowBuilder<Object>> customizer)
            throws IOException {
        return start(config, new Embedding(transports, true, customizer), () -> {});
    }

    private static Gateway start(GatewayConfig config, Embedding how, Runnable noThreads) throws IOException {
        Supervisor supervisor = Supervisor.create();
        return memory(config)
                .whileCurrent(() -> supervisor.whileCurrent(() -> start(config, how, supervisor, noThreads)));
    }

    /** The memory budget shared by all flows. */
    static MemoryBudget memory(GatewayConfig config) {
        Configured<Long> bytes = config.memory();
        return bytes == null ? MemoryBudget.auto() : MemoryBudget.of(bytes.value());
    }

    private static Gateway start(GatewayConfig config, Embedding how, Supervisor supervisor, Runnable noThreads)
            throws IOException {
        ThreadWatch threads = ThreadWatch.start(Ticker.SYSTEM, noThreads);
        Gateway gateway = null;
        boolean opened = false;
        try {
            gateway = new Gateway(config, how, supervisor, threads);
            gateway.open();
            opened = true;
            return gateway;
        } finally {
            if (!opened) {
                threads.close();
            }
            if (!opened && gateway != null) {
                gateway.startGate.refuse();
                gateway.close();
            }
        }
    }

    /** A flow by its name. */
    public Flow<?, ?> flow(String name) {
        return bound.flows().stream()
                .filter(flow -> flow.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no flow " + name))
                .target()
                .flow();
    }

    /** The learned values of its flows, for others of this program. */
    public StateFile learned() {
        return learned;
    }

    /** Builds what shares the memory budget and the supervisor of this gateway. */
    public <T, X extends Throwable> T whileCurrent(ScopedValue.CallableOp<T, X> work) throws X {
        return memory.<T, X>whileCurrent(() -> supervisor.whileCurrent(work));
    }

    private synchronized void open() throws IOException {
        AdminConfig adminConfig = config.admin();
        SettingChanges changes = SettingChanges.logged();
        if (adminConfig != null) {
            AdminServer started = AdminServer.start(adminConfig, this);
            admin = started;
            changes = started.changes();
        }
        mbeans = PenstockJmx.register(bound.flows().stream().map(changes::byJmx).toList());
        store.open();
        for (Source source : bound.sources()) {
            try {
                source.start();
            } catch (IOException failed) {
                throw new IOException("flow " + nameOn(source) + ": " + failed.getMessage(), failed);
            }
        }
        startGate.open();
    }

    private String nameOn(Source source) {
        return bound.flows().stream()
                .filter(flow -> flow.source().source().equals(source))
                .findFirst()
                .map(GatewayFlow::name)
                .orElse("");
    }

    /** The address of the admin server, or null when there is none. */
    public @Nullable URI adminAddress() {
        AdminServer server = admin;
        return server == null ? null : server.address();
    }

    @Override
    public List<? extends WatchedFlow> flows() {
        return bound.flows();
    }

    @Override
    public boolean isStarted() {
        return startGate.isOpen();
    }

    @Override
    public List<String> outages() {
        List<String> all = new ArrayList<>();
        String noThreads = threads.outage();
        if (noThreads != null) {
            all.add(noThreads);
        }
        bound.outages().forEach(all::add);
        store.outage().ifPresent(all::add);
        for (Source source : bound.sources()) {
            String outage = source.outage();
            if (outage != null) {
                all.add("flow " + nameOn(source) + ": " + outage);
            }
        }
        return all;
    }

    @Override
    public List<String> fileNews() {
        return config.files().news();
    }

    @Override
    public List<Certificate> certificates() {
        return tls().flatMap(tls -> tls.certificates().stream())
                .map(own -> new Certificate(own.subject(), own.file().toString(), own.until()))
                .toList();
    }

    @Override
    public List<String> certificateWarnings() {
        return tls().flatMap(tls -> tls.warnings().stream()).distinct().toList();
    }

    private Stream<TlsMaterial> tls() {
        AdminServer server = admin;
        return Stream.concat(bound.tls(), server == null ? Stream.of() : Stream.ofNullable(server.tls()));
    }

    /** The supervisor of its threads and periodic tasks. */
    Supervisor supervisor() {
        return supervisor;
    }

    @Override
    public List<String> partsDown() {
        return supervisor.down();
    }

    @Override
    public Map<String, Long> faults() {
        return supervisor.faults();
    }

    @Override
    public Map<String, Long> memory() {
        return Map.of("used", memory.used(), "limit", memory.limit(), "refused", memory.refused());
    }

    @Override
    public List<Map<String, Object>> fleets() {
        return bound.limits().fleets().stream().map(FleetShare::toMap).toList();
    }

    @Override
    public Path historyFile() {
        return config.besideState(".history");
    }

    @Override
    public @Nullable TransactionLog records() {
        return observers.records();
    }

    @Override
    public List<String> stored(String text, @Nullable String flow) {
        return new StoredTransactions(config, store, bound.flows()).find(text, flow);
    }

    @Override
    public boolean isDraining() {
        return draining;
    }

    /**
     * Stops accepting, finishes the transactions in flight, and closes sources and targets. The admin server runs until
     * {@link #close}. Further calls return the result of the first.
     *
     * @return the accounting of each flow, in file order; each {@link Accounting#isSettled} unless a call to a target
     *     did not end even after its connection was closed
     */
    public Map<String, Accounting> drain() {
        draining = true;
        return drainOnce();
    }

    /** The number of transactions that {@link #drain} cut off because its time had passed; 0 after a complete drain. */
    public long cutOff() {
        return cutOff;
    }

    private synchronized Map<String, Accounting> drainOnce() {
        Map<String, Accounting> known = drained;
        if (known != null) {
            return known;
        }
        bound.sources().forEach(Source::stopAccepting);
        long end = ticker.nanos() + Durations.nanos(config.drain().value());
        // Received requests enter their flow first: it rejects them once it drains.
        awaitNone(SourceBinding::isBusy, end);
        finishBy(end);
        cutOff = inFlight();
        if (cutOff > 0) {
            closeTargets();
            finishBy(ticker.nanos() + LAST_ENDINGS.toNanos());
        }
        awaitNone(SourceBinding::isSettling, end);
        awaitNone(source -> source.inFlight() > 0, ticker.nanos() + LAST_REQUESTS.toNanos());
        awaitNone(SourceBinding::isAnswering, ticker.nanos() + LAST_ANSWERS.toNanos());
        closeAll();
        Map<String, Accounting> accounts = new LinkedHashMap<>();
        bound.flows().forEach(flow -> accounts.put(flow.name(), flow.accounting()));
        drained = accounts;
        return accounts;
    }

    private void awaitNone(Predicate<SourceBinding> waiting, long end) {
        while (bound.flows().stream().anyMatch(flow -> waiting.test(flow.source()))
                && ticker.nanos() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            ticker.parkUntil(Math.min(end, ticker.nanos() + POLL_NANOS));
        }
    }

    private void finishBy(long end) {
        // A flow rejects calls once it drains, so its callers finish first.
        bound.outermost().forEach(flow -> flow.target().flow().drain(Duration.ZERO));
        bound.callersFirst()
                .forEach(flow -> flow.target().flow().drain(Duration.ofNanos(Math.max(0, end - ticker.nanos()))));
    }

    private long inFlight() {
        return bound.flows().stream()
                .mapToLong(flow -> flow.accounting().inFlight())
                .sum();
    }

    private void closeTargets() {
        synchronized (closing) {
            bound.closeTargets();
        }
    }

    private void closeAll() {
        synchronized (closing) {
            bound.sources().forEach(Source::close);
            closeTargets();
            bound.closeBinders();
            store.close();
            observers.close();
        }
    }

    /**
     * Closes everything immediately; transactions in flight end as unknown. Call {@link #drain} first to finish them. A
     * running drain ends early.
     */
    @Override
    public void close() {
        draining = true;
        threads.close();
        mbeans.close();
        closeAll();
        AdminServer server = admin;
        if (server != null) {
            server.close();
        }
    }
}
