package dev.penstock.observe;

import dev.penstock.flow.Flow;
import dev.penstock.text.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Whether a process is ready for transactions, for the readiness probe of a load balancer. A dependency that is down does
 * not count: transactions then end with their reasons, and other processes would not reach it either.
 *
 * @param status up, or why not
 * @param reasons why it is down, a line each; empty for any other status
 */
public record Health(Status status, List<String> reasons) {
    /** The state of a process. */
    public enum Status {
        /** It accepts transactions. */
        UP,
        /** Not every part has started. */
        STARTING,
        /** It accepts no new transactions. */
        DRAINING,
        /** A part of it is down. */
        DOWN
    }

    /**
     * {@return the health of a process}
     *
     * @param process the process
     */
    public static Health of(WatchedProcess process) {
        if (process.isDraining()) {
            return new Health(Status.DRAINING, List.of());
        }
        if (!process.isStarted()) {
            return new Health(Status.STARTING, List.of());
        }
        List<String> reasons = Stream.concat(process.outages().stream(), process.partsDown().stream())
                .toList();
        return new Health(reasons.isEmpty() ? Status.UP : Status.DOWN, reasons);
    }

    /**
     * {@return the health of this program}
     *
     * @param flows its flows; it drains when one of them does
     */
    public static Health of(Flow<?, ?>... flows) {
        return of(WatchedProcess.of(flows));
    }

    /** {@return whether it accepts transactions} */
    public boolean isUp() {
        return status == Status.UP;
    }

    /** {@return the status in one word, and the reasons if there are any: the JSON of {@code /ready}} */
    public Map<String, Object> toMap() {
        String word = isUp() ? "ready" : status.name().toLowerCase(Locale.ROOT);
        return reasons.isEmpty() ? Json.object("status", word) : Json.object("status", word, "reasons", reasons);
    }
}
