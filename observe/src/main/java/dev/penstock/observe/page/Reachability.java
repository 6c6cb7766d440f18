package dev.penstock.observe.page;

import dev.penstock.Accounting;
import dev.penstock.Dedupe;
import dev.penstock.observe.FlowSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Derives from the endings of transactions whether the target and the idempotency store of a flow are reachable. A
 * transaction fails with cause {@code connect} only after every address was tried. Without traffic the last result
 * stands.
 *
 * <p>No I/O. Not thread-safe.
 */
final class Reachability {
    private final Peer target = new Peer();
    private final Peer store = new Peer();

    /** A remote system and its counters at the last snapshot. */
    private static final class Peer {
        private long reached;
        private long unreached;
        private boolean unreachable;

        /** Whether it is unreachable. One success since the last snapshot proves that it is reachable. */
        boolean isUnreachable(long reachedNow, long unreachedNow) {
            if (reachedNow > reached) {
                unreachable = false;
            } else if (unreachedNow > unreached) {
                unreachable = true;
            }
            reached = reachedNow;
            unreached = unreachedNow;
            return unreachable;
        }
    }

    /**
     * Evaluates the endings since the last call.
     *
     * @return a line for target and store each, if unreachable
     */
    List<String> next(FlowSnapshot snapshot) {
        Dedupe.Counts dedupeCounts = snapshot.dedupe();
        return Stream.of(target(snapshot), dedupeCounts == null ? null : store(snapshot, dedupeCounts))
                .filter(Objects::nonNull)
                .toList();
    }

    private @Nullable String target(FlowSnapshot snapshot) {
        Accounting account = snapshot.account();
        Map<String, Long> failures = account.causes().getOrDefault("failed", Map.of());
        long unreached = failures.getOrDefault("connect", 0L);
        if (!target.isUnreachable(account.answered() + account.failed() - unreached, unreached)) {
            return null;
        }
        return sentence(snapshot, "failed", "connect", "the target is unreachable");
    }

    private @Nullable String store(FlowSnapshot snapshot, Dedupe.Counts dedupeCounts) {
        long reached =
                dedupeCounts.first() + dedupeCounts.duplicates() + dedupeCounts.settled() + dedupeCounts.refused();
        if (!store.isUnreachable(reached, dedupeCounts.unavailable())) {
            return null;
        }
        return sentence(snapshot, "rejected", "store", "the idempotency store is unreachable");
    }

    private static String sentence(FlowSnapshot snapshot, String ending, String cause, String otherwise) {
        return snapshot.lastReason(reason ->
                        reason.ending().equals(ending) && reason.cause().equals(cause))
                .map(last -> last.reason().sentence())
                .orElse(otherwise);
    }
}
