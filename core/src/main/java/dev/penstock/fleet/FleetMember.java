package dev.penstock.fleet;

import dev.penstock.fleet.FleetShare.Demand;
import dev.penstock.fleet.FleetStore.Claim;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The share of one gateway in a total, in units: calls in flight, or thousandths of a call per second.
 *
 * <p>Members meet in a {@link FleetStore}, one after the other. Each divides the total by max-min fairness (Bertsekas and
 * Gallager, Data Networks, 1992, section 6.5.2) by what they want, and what is left evenly, so that more requests find room at
 * once. It takes no more than the others leave, and leaves what it gives up only when its calls have ended. So the members
 * together never hold more than the total, whoever comes first.
 *
 * <p>A lease counts from before it was asked for, by the member's own clock, and from later and a bit longer in the store, by
 * the store's clock. So it ends here first, whatever the clocks show. Without a lease a member uses its safe share.
 *
 * <p>{@link #share} is thread-safe; the other methods are called by one thread at a time.
 */
final class FleetMember {
    /** How long a share lasts without the store. */
    static final Duration LEASE = Duration.ofSeconds(10);

    /** A safe share that is above the last one applies later: then those above theirs have ended their leases and calls. */
    private static final Duration RISE = Duration.ofSeconds(5);

    /** Meetings are this far apart, or farther in a big fleet. */
    static final Duration INTERVAL = Duration.ofMillis(400);

    private static final Duration INTERVAL_PER_MEMBER = Duration.ofMillis(5);

    /** With each meeting a member wants half as much, down to its demand: a short pause is not to cost its share. */
    private static final int FADING = 2;

    /**
     * Who has what it wanted and lacks units twice in a row wants this many times as much: more may come than was seen, since a source
     * fetches hardly more than there are permits for.
     */
    private static final int GROWTH = 8;

    private record Lease(long share, long until) {}

    /** What a member tells the others, and the share that it has then. */
    record Decision(Claim claim, long share, Duration nextIn) {}

    private final String name;
    private final long total;
    private final long most;
    private final boolean declared;
    private volatile Lease lease;
    private volatile long safe;
    private long wants;
    /** Whether it lacked units when it last had all that it wanted. */
    private boolean lacked;

    private boolean joined;
    /** Those at the last meeting, without this one; while this one has come back from an outage, those before it. */
    private Set<String> known = Set.of();
    /** Until when this one may have come back before others. */
    private long backUntil;
    /** The end of the lease before the outage. */
    private long endedAt;

    /** A member without a lease. */
    FleetMember(Fleet fleet, long now) {
        this.name = fleet.member();
        this.total = fleet.total();
        this.most = Math.min(fleet.total(), fleet.most());
        this.declared = fleet.safe() > 0;
        this.safe = Math.max(1, fleet.safe());
        this.lease = new Lease(0, now - RISE.toNanos());
        this.backUntil = now;
        this.endedAt = now;
    }

    /**
     * Decides while the store is locked. A smaller share applies at once, a larger one when it is {@linkplain #granted granted}.
     *
     * @param used how many units are in use; asked after a smaller share applies
     * @param others all others whose leases have not ended
     */
    Decision decide(Demand demand, LongSupplier used, List<Claim> others, long now) {
        want(demand, now);
        long free = total - others.stream().mapToLong(Claim::holds).sum();
        long share = Math.clamp(fair(others), 0, Math.max(0, free));
        if (mayBeFirst(others, now)) {
            share = Math.min(share, Math.max(share(now), now - endedAt < RISE.toNanos() ? 0 : safe));
        } else if (!declared) {
            safe = Math.max(1, total / (others.size() + 1));
        }
        if (share < share(now)) {
            lease = new Lease(share, lease.until);
        }
        Duration next = INTERVAL_PER_MEMBER.multipliedBy(others.size() + 1L);
        return new Decision(
                new Claim(name, wants, Math.max(share, used.getAsLong())),
                share,
                next.compareTo(INTERVAL) > 0 ? next : INTERVAL);
    }

    private void want(Demand demand, long now) {
        long least = demand.lacked() ? wants : wants / FADING;
        if (!demand.lacked()) {
            lacked = false;
        } else if (share(now) >= wants) {
            least = lacked ? GROWTH * wants : wants;
            lacked = true;
        }
        wants = Math.min(most, Math.max(demand.most(), least));
    }

    /** Whether others come back from an outage later than this one: they use their safe shares, and have not said so yet. */
    private boolean mayBeFirst(List<Claim> others, long now) {
        Set<String> there = others.stream().map(Claim::member).collect(Collectors.toUnmodifiableSet());
        if (joined && now - lease.until + RISE.toNanos() >= 0) {
            endedAt = lease.until;
            backUntil = now + LEASE.toNanos();
        }
        // Until then the store may have what they said before the outage.
        boolean allAreBack = now - endedAt >= RISE.toNanos() && there.containsAll(known);
        if (now - backUntil < 0 && !allAreBack) {
            return true;
        }
        known = there;
        backUntil = now;
        return false;
    }

    private long fair(List<Claim> others) {
        List<Claim> all = Stream.concat(others.stream(), Stream.of(new Claim(name, wants, 0)))
                .sorted(Comparator.comparingLong(Claim::wants).thenComparing(Claim::member))
                .toList();
        long left = total;
        long mine = 0;
        int among = all.size();
        for (Claim each : all) {
            long gets = Math.min(Math.max(1, each.wants()), left / among--);
            mine = each.member().equals(name) ? gets : mine;
            left -= gets;
        }
        return mine + left / all.size();
    }

    /** The decision is stored. */
    void granted(Decision decision, long askedAt) {
        joined = true;
        lease = new Lease(decision.share, askedAt + LEASE.toNanos());
    }

    /** How many units may be used now. */
    long share(long now) {
        Lease current = lease;
        long without = now - current.until;
        if (without < 0) {
            return current.share;
        }
        return without < RISE.toNanos() ? Math.min(current.share, safe) : safe;
    }

    /** How many may be used without a lease. */
    long safe() {
        return safe;
    }

    boolean hasLease(long now) {
        return now - lease.until < 0;
    }
}
