package dev.penstock.gateway.admin;

import dev.penstock.meter.Accounting;
import dev.penstock.meter.LastReasons;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the target of a flow and its store can be reached, concluded from the endings of its transactions. A transaction
 * fails with cause {@code connect} only after every address was tried. Without traffic the last conclusion stands.
 *
 * <p>Pure. For one thread at a time.
 */
final class Reachability {
    private long unreached;
    private long reached;
    private @Nullable String why;

    /**
     * Takes the endings since the last call into account.
     *
     * @return why it cannot be reached, in one line; null when it can, or when nothing is known
     */
    @Nullable
    String next(FlowLook look) {
        Accounting account = look.account();
        Map<String, Long> failures = account.causes().getOrDefault("failed", Map.of());
        long unreachedNow = failures.getOrDefault("connect", 0L);
        long reachedNow = account.answered() + account.failed() - unreachedNow;
        if (reachedNow > reached) {
            why = null;
        } else if (unreachedNow > unreached) {
            why = look.reasons().stream()
                    .filter(last -> last.reason().ending().equals("failed")
                            && last.reason().cause().equals("connect"))
                    .max(Comparator.comparing(LastReasons.Last::at))
                    .map(last -> last.reason().sentence())
                    .orElse("no connection");
        }
        reached = reachedNow;
        unreached = unreachedNow;
        return why;
    }
}
