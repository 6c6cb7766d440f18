package dev.penstock.gateway;

import dev.penstock.Accounting;
import dev.penstock.Source;
import dev.penstock.StateFile;
import dev.penstock.Ticker;
import dev.penstock.fleet.FleetShare;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.admin.AdminServer;
import dev.penstock.gateway.admin.ReloadableFile;
import dev.penstock.gateway.admin.SettingChanges;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileKeys;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.status.GatewayStore;
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
import dev.penstock.text.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger("penstock");
    private static final int MAX_NEWS = 100;

    private final @Nullable Path path;
    /** What only a restart changes. */
    private final GatewayConfig config;
    /** One per gateway: another gateway in this process does not affect its readiness. */
    private final Supervisor supervisor;

    private final MemoryBudget memory = MemoryBudget.current();

    private final Ticker ticker = Ticker.SYSTEM;
    private final StartGate startGate = new StartGate();
    private final StateFile learned;
    private final GatewayStore store;
    private final FlowObservers observers;
    private final Generations generations;
    private final ArrayBlockingQueue<String> news = new ArrayBlockingQueue<>(MAX_NEWS);
    private volatile @Nullable AdminServer admin;
    private Binding mbeans = () -> {};
    private final ReentrantLock reloading = new ReentrantLock();
    private final ThreadWatch threads;
    private volatile boolean draining;
    /** How many transactions were cut off because the time of the drain had passed. */
    private volatile long cutOff;

    private @Nullable Map<String, Accounting> drained;

    /** Not the monitor of the gateway, which a drain holds: close must not wait for it. */
    private final Object closing = new Object();

    private boolean closed;

    private Gateway(@Nullable Path path, FlowFile file, Embedding how, Supervisor supervisor, ThreadWatch threads)
            throws IOException {
        this.path = path;
        this.config = file.config();
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
            this.generations = new Generations(path, file, context, how, observers, this::inGateway);
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
        return start(null, unread(config), new Embedding(Transports.load(), false, (_, _) -> {}), noThreads);
    }

    /**
     * As above, for a gateway that can {@link #reload} its file.
     *
     * @param path where the file is
     * @param file its content
     */
    public static Gateway start(Path path, FlowFile file, Runnable noThreads) throws IOException {
        return start(path, file, new Embedding(Transports.load(), false, (_, _) -> {}), noThreads);
    }

    private static FlowFile unread(GatewayConfig config) {
        return new FlowFile(config, List.of(), FileKeys.NONE);
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
        return start(null, unread(config), new Embedding(transports, true, customizer), () -> {});
    }

    private static Gateway start(@Nullable Path path, FlowFile file, Embedding how, Runnable noThreads)
            throws IOException {
        Supervisor supervisor = Supervisor.create();
        return memory(file.config())
                .whileCurrent(() -> supervisor.whileCurrent(() -> start(path, file, how, supervisor, noThreads)));
    }

    /** The memory budget shared by all flows. */
    static MemoryBudget memory(GatewayConfig config) {
        Configured<Long> bytes = config.memory();
        return bytes == null ? MemoryBudget.auto() : MemoryBudget.of(bytes.value());
    }

    private static Gateway start(
            @Nullable Path path, FlowFile file, Embedding how, Supervisor supervisor, Runnable noThreads)
            throws IOException {
        ThreadWatch threads = ThreadWatch.start(Ticker.SYSTEM, noThreads);
        Gateway gateway = null;
        boolean opened = false;
        try {
            gateway = new Gateway(path, file, how, supervisor, threads);
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
        return bound().named(name)
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

    private Runnable inGateway(Runnable task) {
        return () -> whileCurrent(() -> {
            task.run();
            return true;
        });
    }

    private BoundFlows bound() {
        return generations.running().flows();
    }

    private synchronized void open() throws IOException {
        AdminConfig adminConfig = config.admin();
        if (adminConfig != null) {
            admin = AdminServer.start(adminConfig, this, new OwnFile());
        }
        registerMbeans();
        store.open();
        for (Source source : bound().sources()) {
            bound().start(source);
        }
        startGate.open();
    }

    private SettingChanges changes() {
        AdminServer server = admin;
        return server == null ? SettingChanges.logged() : server.changes();
    }

    private void registerMbeans() {
        synchronized (closing) {
            mbeans.close();
            mbeans = closed
                    ? () -> {}
                    : PenstockJmx.register(
                            bound().flows().stream().map(changes()::byJmx).toList());
        }
    }

    /**
     * Reads the flow file again, and switches to it: flows that it does not change run on as they are; the others are built beside
     * the running ones, and replace them at once when all are ready. Replaced flows finish their work until its deadlines.
     *
     * @param by who asks, for the log and the audit file
     * @return the generation that runs then; the same as before if the file has no change
     * @throws BadConfig the file has errors, or a target of a changed flow cannot be reached; nothing was changed
     * @throws IOException a change needs a restart, or a part cannot start, and nothing was changed; or the audit file cannot be
     *     written. The message says which
     */
    public Generation reload(String by) throws BadConfig, IOException {
        reloading.lock();
        try {
            Generation before = generation();
            Generation now = reloaded(by);
            if (now.number() == before.number()) {
                LOG.info("the flow file has no change for a reload by {}; generation {} goes on", by, now.number());
                return now;
            }
            registerMbeans();
            String what = "generation %d of the flow file by %s: %s"
                    .formatted(now.number(), by, String.join("; ", now.flows()));
            LOG.info(what);
            boolean _ = news.offer(what);
            changes().reloaded(by, before.number(), now.number(), now.changes());
            return now;
        } finally {
            reloading.unlock();
        }
    }

    private Generation reloaded(String by) throws BadConfig, IOException {
        try {
            return this.<Generation, Exception>whileCurrent(() -> generations.reload(by));
        } catch (BadConfig | IOException refused) {
            LOG.error(
                    "the flow file is not reloaded by {}, and generation {} goes on: {}",
                    by,
                    generation().number(),
                    refused.getMessage());
            throw refused;
        } catch (Exception failed) {
            LOG.error("a reload by {} failed", by, failed);
            throw new IOException(String.valueOf(failed.getMessage()), failed);
        }
    }

    /** The version of the flow file that runs. */
    public Generation generation() {
        return generations.running().about();
    }

    private final class OwnFile implements ReloadableFile {
        @Override
        public Map<String, Object> reload(String by) throws BadConfig, IOException {
            return Gateway.this.reload(by).toMap();
        }

        @Override
        public Map<String, Object> running() {
            Generations.Running running = generations.running();
            return Json.object(
                    "generation",
                    running.about().number(),
                    "file",
                    String.valueOf(path),
                    "keys",
                    running.file().keys().shown());
        }
    }

    @Override
    public List<Map<String, Object>> generations() {
        return generations.history().stream().map(Generation::toMap).toList();
    }

    /** The address of the admin server, or null when there is none. */
    public @Nullable URI adminAddress() {
        AdminServer server = admin;
        return server == null ? null : server.address();
    }

    @Override
    public List<? extends WatchedFlow> flows() {
        return bound().flows();
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
        BoundFlows bound = bound();
        bound.outages().forEach(all::add);
        generations.outages().forEach(all::add);
        store.outage().ifPresent(all::add);
        for (Source source : bound.sources()) {
            String outage = source.outage();
            if (outage != null) {
                all.add("flow " + bound.nameOf(source) + ": " + outage);
            }
        }
        return all;
    }

    @Override
    public List<String> fileNews() {
        List<String> all =
                new ArrayList<>(generations.running().file().config().files().news());
        news.drainTo(all);
        return all;
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
        return Stream.concat(bound().tls(), server == null ? Stream.of() : Stream.ofNullable(server.tls()));
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
        return bound().limits().fleets().stream().map(FleetShare::toMap).toList();
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
        Generations.Running running = generations.running();
        return new StoredTransactions(
                        running.file().config(), store, running.flows().flows())
                .find(text, flow);
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
        generations.end();
        draining = true;
        return drainOnce();
    }

    /** How long {@link #drain} waits for transactions in flight. */
    public Duration drainTime() {
        return generations.running().file().config().drain().value();
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
        BoundFlows bound = bound();
        long end = ticker.nanos() + Durations.nanos(drainTime());
        bound.sources().forEach(Source::stopAccepting);
        // Their clients may be connected to sources that the flows of now share.
        long cutOffBefore = generations.endRetired(ticker, end);
        Duration left = Duration.ofNanos(Math.max(0, end - ticker.nanos()));
        cutOff = cutOffBefore + new FlowDrain(bound, bound.sources(), ticker).run(left, this::closeTargets);
        closeAll();
        Map<String, Accounting> accounts = new LinkedHashMap<>();
        bound.flows().forEach(flow -> accounts.put(flow.name(), flow.accounting()));
        drained = accounts;
        return accounts;
    }

    private void closeTargets() {
        synchronized (closing) {
            bound().closeTargets();
        }
    }

    private void closeAll() {
        synchronized (closing) {
            bound().sources().forEach(Source::close);
            closeTargets();
            long _ = generations.endRetired(ticker, ticker.nanos());
            bound().closeBinders();
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
        generations.end();
        threads.close();
        synchronized (closing) {
            closed = true;
            mbeans.close();
        }
        closeAll();
        AdminServer server = admin;
        if (server != null) {
            server.close();
        }
    }
}
