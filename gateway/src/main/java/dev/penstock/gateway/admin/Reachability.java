package dev.penstock.gateway.admin;

import dev.penstock.dedupe.DedupeCounts;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.LastReasons.Last;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether the target of a flow and its store of keys can be reached, concluded from the endings of its transactions. A
 * transaction fails with cause {@code connect} only after every address was tried. Without traffic the last conclusion stands.
 *
 * <p>Pure. For one thread at a time.
 */
final class Reachability {
    private final Peer target = new Peer();
    private final Peer store = new Peer();

    /** What is asked over a network, and how that went up to the last look. */
    private static final class Peer {
        private long reached;
        private long unreached;
        private boolean lost;

        /** Whether it cannot be reached. One success since the last look is enough. */
        boolean isLost(long reachedNow, long unreachedNow) {
            if (reachedNow > reached) {
                lost = false;
            } else if (unreachedNow > unreached) {
                lost = true;
            }
            reached = reachedNow;
            unreached = unreachedNow;
            return lost;
        }
    }

    /**
     * Takes the endings since the last call into account.
     *
     * @param dedupeCounts the counts of the flow's dedupe; null when it has none
     * @return a line for each of target and store that cannot be reached
     */
    List<String> next(FlowSnapshot look, @Nullable DedupeCounts dedupeCounts) {
        return Stream.of(target(look), dedupeCounts == null ? null : store(look, dedupeCounts))
                .filter(Objects::nonNull)
                .toList();
    }

    private @Nullable String target(FlowSnapshot look) {
        Accounting account = look.account();
        Map<String, Long> failures = account.causes().getOrDefault("failed", Map.of());
        long unreached = failures.getOrDefault("connect", 0L);
        if (!target.isLost(account.answered() + account.failed() - unreached, unreached)) {
            return null;
        }
        return sentence(look, "the target cannot be reached", last -> is(last, "failed", "connect"));
    }

    private @Nullable String store(FlowSnapshot look, DedupeCounts dedupeCounts) {
        long reached = dedupeCounts.first() + dedupeCounts.repeated() + dedupeCounts.settled() + dedupeCounts.refused();
        if (!store.isLost(reached, dedupeCounts.unavailable())) {
            return null;
        }
        // Only a store has an exception behind this cause; a pool that is exhausted has none.
        return sentence(
                look,
                "the store of keys cannot be reached",
                last -> is(last, "rejected", "pool")
                        && !last.reason().exceptions().isEmpty());
    }

    private static boolean is(Last last, String ending, String cause) {
        return last.reason().ending().equals(ending) && last.reason().cause().equals(cause);
    }

    private static String sentence(FlowSnapshot look, String otherwise, Predicate<Last> wanted) {
        return look.reasons().stream()
                .filter(wanted)
                .max(Comparator.comparing(LastReasons.Last::at))
                .map(last -> last.reason().sentence())
                .orElse(otherwise);
    }
}
