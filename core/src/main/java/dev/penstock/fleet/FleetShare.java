package dev.penstock.fleet;

import static dev.penstock.text.Json.object;

import dev.penstock.Ticker;
import dev.penstock.fleet.FleetMember.Decision;
import dev.penstock.fleet.FleetStore.Claim;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share of this process in a total, renewed by a thread of its own. Nothing on the path of a request waits for the store.
 * Thread-safe.
 */
public final class FleetShare implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.fleet");
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /**
     * What a process could use.
     *
     * @param most the most units that were in use or waited for at once
     * @param lacked whether requests wait for some, or most found none
     */
    public record Demand(long most, boolean lacked) {}

    /** The last one, and when it was. */
    private record Meeting(List<Claim> members, long at) {}

    private final Fleet fleet;
    private final Supplier<Demand> demand;
    private final LongSupplier used;
    private final FleetStore store;
    private final Ticker ticker;
    private final Consumer<FleetShare> changed;
    private final FleetMember member;
    private final Part part;
    private volatile Meeting meeting = new Meeting(List.of(), 0);
    private volatile @Nullable String outage;
    private volatile boolean closed;
    private final Thread thread;

    /**
     * Meets the others once, so that the share is known before the first request, unless the store is away; then starts a thread.
     *
     * @param demand what could be used since it was asked before
     * @param used how many are in use
     * @param changed called after each meeting, when the share may have changed; must not block
     */
    public FleetShare(
            Fleet fleet,
            Supplier<Demand> demand,
            LongSupplier used,
            FleetStore store,
            Ticker ticker,
            Consumer<FleetShare> changed) {
        this.fleet = fleet;
        this.demand = demand;
        this.used = used;
        this.store = store;
        this.ticker = ticker;
        this.changed = changed;
        this.member = new FleetMember(fleet, ticker.nanos());
        this.part = Supervisor.current().part("fleet", fleet.name());
        Duration first = meet();
        thread = part.start(Thread.ofVirtual().name("penstock-fleet-" + fleet.name()), () -> run(first));
    }

    private void run(Duration first) {
        Duration pause = first;
        while (!closed) {
            long until = ticker.nanos() + pause.toNanos();
            while (!closed && ticker.nanos() - until < 0) {
                ticker.parkUntil(until);
            }
            pause = closed ? pause : meet();
        }
    }

    /** Returns the time until the next meeting. */
    private Duration meet() {
        long asked = ticker.nanos();
        AtomicReference<@Nullable Decision> last = new AtomicReference<>();
        Duration next = FleetMember.INTERVAL;
        Demand wanted = demand.get();
        try {
            store.meet(fleet.name(), fleet.member(), others -> {
                Decision decision = member.decide(wanted, used, others, ticker.nanos());
                last.set(decision);
                List<Claim> all = new ArrayList<>(others);
                all.add(decision.claim());
                meeting = new Meeting(List.copyOf(all), ticker.nanos());
                return decision.claim();
            });
            Decision decision = last.get();
            if (decision != null) {
                member.granted(decision, asked);
                next = decision.nextIn();
            }
            reachable(null);
        } catch (Exception cannot) { // the lease goes on until it ends, then the safe share applies
            reachable(String.valueOf(cannot.getMessage()));
        }
        changed.accept(this);
        return next;
    }

    private void reachable(@Nullable String why) {
        boolean was = outage == null;
        outage = why;
        if (was && why != null) {
            LOG.warn(
                    "cannot renew the share of fleet {}: {}; it stays {} until its lease ends, then {}",
                    fleet.name(),
                    why,
                    share(),
                    member.safe());
        } else if (!was && why == null) {
            LOG.info("the share of fleet {} is renewed again: {}", fleet.name(), share());
        }
    }

    /** How many units may be used now. */
    public long share() {
        return Math.min(fleet.most(), member.share(ticker.nanos()));
    }

    /** Where the share comes from, in one sentence. */
    public String reason() {
        String why = outage;
        boolean leased = member.hasLease(ticker.nanos());
        String from = leased
                ? "the share of %s in fleet %s, of %d members"
                        .formatted(fleet.member(), fleet.name(), meeting.members.size())
                : "the safe share of %s in fleet %s".formatted(fleet.member(), fleet.name());
        return why == null ? from : "%s; cannot reach the others: %s".formatted(from, why);
    }

    /** Which fleet cannot be reached, and why; null when it can. */
    public @Nullable String outage() {
        String why = outage;
        return why == null ? null : "fleet " + fleet.name() + ": " + why;
    }

    /** The fleet, the share, its reason, and all members at the last meeting, for JSON. In calls, or calls per second. */
    public Map<String, Object> toMap() {
        Meeting last = meeting;
        Duration since = Duration.ofNanos(ticker.nanos() - last.at);
        Map<String, Object> all = object(
                "name", fleet.name(),
                "total", fleet.total() * fleet.unit(),
                "member", fleet.member(),
                "share", share() * fleet.unit(),
                "reason", reason(),
                "members",
                        last.members.stream()
                                .map(claim -> object(
                                        "name",
                                        claim.member(),
                                        "wants",
                                        claim.wants() * fleet.unit(),
                                        "holds",
                                        claim.holds() * fleet.unit(),
                                        "met_ms_ago",
                                        claim.ago().plus(since).toMillis()))
                                .toList());
        String why = outage;
        if (why != null) {
            all.put("outage", why);
        }
        return all;
    }

    /** Gives the share back. */
    @Override
    public void close() {
        closed = true;
        part.close();
        try {
            thread.interrupt();
            // A meeting that goes on would take the share again.
            if (thread.join(CLOSING)) {
                store.leave(fleet.name(), fleet.member());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception later) {
            LOG.debug("the lease of fleet {} ends by itself", fleet.name(), later);
        }
    }
}
