package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.Ticker;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.Gateway.Embedding;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FileKeys;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flows of a gateway, and how they are replaced when its file has changed.
 *
 * <h2>Design note</h2>
 *
 * <p>A flow that is {@linkplain FlowFacts built from the same} in both files stays the same object, with its target, counters and
 * work in flight. The others are built beside the running ones. Only when all are built, their targets are found, and new ports are
 * bound, one assignment each switches {@link #running}, the flow of each name, and the routes of each port. Until then a failure
 * closes what was built, and changes nothing. Replaced flows finish their work on a thread of its own ({@link RetiredFlows}).
 *
 * <p>A request looks its flow up by name when its body has been read, so no request meets a flow that has ended.
 *
 * <p>Thread-safe, except for reloads, which must follow each other.
 */
final class Generations {
    /** A version and its flows. */
    record Running(Generation about, FlowFile file, BoundFlows flows) {}

    private static final int KEPT = 10;

    private final @Nullable Path path;
    private final Embedding how;
    private final FlowObservers observers;
    private final UnaryOperator<Runnable> inGateway;
    private final List<Generation> history = new CopyOnWriteArrayList<>();
    private final List<RetiredFlows> retired = new CopyOnWriteArrayList<>();
    private final TransportContext context;
    private volatile Running running;
    private boolean ended;

    /**
     * Builds the flows of the first version.
     *
     * @param path the file, to read it again; null if there is none
     * @param inGateway makes a task share the memory budget and the supervisor of the gateway
     * @throws IOException as {@link BoundFlows#of}
     */
    Generations(
            @Nullable Path path,
            FlowFile first,
            TransportContext context,
            Embedding how,
            FlowObservers observers,
            UnaryOperator<Runnable> inGateway)
            throws IOException {
        this.path = path;
        this.context = context;
        this.how = how;
        this.observers = observers;
        this.inGateway = inGateway;
        BoundFlows flows = BoundFlows.of(context, how.transports(), completion(observers), observers.records());
        this.running = new Running(new Generation(1, Instant.now(), "the start", List.of(), List.of()), first, flows);
        history.add(running.about);
    }

    private BiConsumer<FlowConfig, FlowBuilder<Object>> completion(FlowObservers of) {
        return (flow, stages) -> {
            of.observe(flow, stages);
            how.customizer().accept(flow.name(), stages);
        };
    }

    /** The current version. */
    Running running() {
        return running;
    }

    /** The last versions, the current one first. */
    List<Generation> history() {
        return history.reversed();
    }

    /**
     * Reads the file, and switches to it. Not to be called twice at the same time.
     *
     * @return the version that runs then: the same as before if the file has no change
     * @throws BadConfig the file has errors, or a target of a changed flow cannot be reached; nothing was changed
     * @throws IOException a change needs a restart, or a part cannot start; nothing was changed
     */
    Generation reload(String by) throws BadConfig, IOException {
        if (path == null) {
            throw new IOException("this gateway was not started from a file");
        }
        Running before = running;
        FlowFile file = FlowFile.read(path);
        List<FileKeys.Change> changes = before.file.keys().changes(file.keys());
        if (changes.isEmpty()) {
            return before.about;
        }
        Set<String> unchanged = FlowFacts.unchanged(before.file, file);
        ReloadRules.check(changes, before.file.config(), file.config(), unchanged);
        if (file.config().proves()) {
            file.ask(path, flow -> !unchanged.contains(flow.name()));
        }
        BoundFlows flows = before.flows.next(
                context.next(file.config()),
                how.transports(),
                completion(observers.of(file.config())),
                observers.records(),
                unchanged);
        Generation about = new Generation(
                before.about.number() + 1,
                Instant.now(),
                by,
                changes.stream().map(FileKeys.Change::sentence).toList(),
                became(before.flows, flows));
        switchTo(before, new Running(about, file, flows));
        return about;
    }

    private static List<String> became(BoundFlows before, BoundFlows now) {
        List<String> lines = new ArrayList<>();
        List<GatewayFlow> built = now.without(before).flows();
        built.forEach(flow -> lines.add(
                "flow " + flow.name() + (before.named(flow.name()).isPresent() ? ": built anew" : ": added")));
        before.flows().stream()
                .filter(flow -> now.named(flow.name()).isEmpty())
                .forEach(flow -> lines.add("flow " + flow.name() + ": removed"));
        int same = now.flows().size() - built.size();
        lines.add(same + (same == 1 ? " flow" : " flows") + " unchanged");
        return lines;
    }

    private void switchTo(Running before, Running now) throws IOException {
        List<Source> fresh = minus(now.flows.sources(), before.flows.sources());
        List<Source> later =
                fresh.stream().filter(source -> follows(source, before, now)).toList();
        List<Source> started = new ArrayList<>();
        BoundFlows added =
                now.flows.only(flow -> before.flows.named(flow.name()).isEmpty());
        added.publish(context.bound());
        try {
            context.store().open();
            for (Source source : minus(fresh, later)) {
                started.add(source);
                now.flows.start(source);
            }
            commit(now);
        } catch (IOException | RuntimeException cannot) {
            started.forEach(Source::close);
            now.flows.discard(before.flows);
            added.withdraw(context.bound());
            throw cannot;
        }
        retired.removeIf(RetiredFlows::hasEnded);
        BoundFlows old = before.flows.without(now.flows);
        List<Source> ending = minus(before.flows.sources(), now.flows.sources());
        String of = "generation " + before.about.number();
        List<String> followed = later.stream().map(now.flows::nameOf).toList();
        for (Source next : later) {
            retire(of, old.only(flow -> flow.name().equals(now.flows.nameOf(next))), ending, next);
        }
        retire(of, old.only(flow -> !followed.contains(flow.name())), ending, null);
    }

    private void retire(String of, BoundFlows flows, List<Source> ending, @Nullable Source next) {
        if (flows.flows().isEmpty()) {
            return;
        }
        List<Source> sources = ending.stream().filter(flows.sources()::contains).toList();
        RetiredFlows former = retired.stream()
                .filter(earlier -> earlier.shares(flows))
                .reduce((first, last) -> last)
                .orElse(null);
        RetiredFlows old = new RetiredFlows(of, flows, sources, next, former);
        retired.add(old);
        old.start(this, inGateway);
    }

    /** Whether a source takes messages as that of the former flow does, so that it waits until that has ended. */
    private static boolean follows(Source source, Running before, Running now) {
        return now.flows.flows().stream()
                .filter(flow -> flow.source().source().equals(source))
                .anyMatch(flow -> flow.config().from().listener() == null
                        && before.flows.named(flow.name()).isPresent());
    }

    private static List<Source> minus(List<Source> all, Collection<Source> without) {
        return all.stream().filter(source -> !without.contains(source)).toList();
    }

    private synchronized void commit(Running now) throws IOException {
        if (ended) {
            throw new IOException("the gateway is draining");
        }
        now.flows.publish(context.bound());
        now.flows.binders().values().forEach(Binder::activate);
        running = now;
        history.add(now.about);
        if (history.size() > KEPT) {
            history.removeFirst();
        }
    }

    /** Starts the source of a flow that waited for its former one, unless the gateway ends or the flow was replaced again. */
    synchronized void startLater(Source source) {
        BoundFlows flows = running.flows;
        if (!ended && flows.sources().contains(source)) {
            try {
                flows.start(source);
            } catch (IOException cannot) {
                throw new IllegalStateException(cannot.getMessage(), cannot);
            }
        }
    }

    /** Why replaced flows, or those that waited for them, do not work, a line each. */
    Stream<String> outages() {
        return retired.stream().map(RetiredFlows::outage).filter(Objects::nonNull);
    }

    /** From now on a reload fails. */
    synchronized void end() {
        ended = true;
    }

    /**
     * Waits until the last replaced flows have ended, or cuts off what they still do. To be called after {@link #end}.
     *
     * @return the number of transactions that were cut off
     */
    long endRetired(Ticker ticker, long until) {
        retired.removeIf(RetiredFlows::hasEnded);
        return retired.stream().mapToLong(flows -> flows.end(ticker, until)).sum();
    }

    /** Lets no call of another flow find flows that have ended. */
    void forget(BoundFlows old) {
        old.withdraw(context.bound());
    }
}
