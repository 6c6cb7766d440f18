package dev.penstock.observe;

import dev.penstock.Busy;
import dev.penstock.Observation;
import dev.penstock.Unanswered;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the waits and attempts of a transaction or a batch. Little is allocated, since most of it is never read. Called by one
 * thread at a time; what is called late is seen or not.
 */
class FollowedAttempts implements Observation {
    /** More than this many exchanges of an attempt are not kept. */
    private static final int MOST_EXCHANGES = 8;

    private static final double MILLI = 1e6;
    private static final double THOUSAND = 1e3;

    final long start;
    private @Nullable Map<Wait, Long> waits;
    private @Nullable Attempt first;
    private @Nullable Attempt last;

    /** An attempt, with the waits before it by {@link Wait}. */
    private static final class Attempt {
        private final long start;
        private final @Nullable Map<Wait, Long> waits;
        private long end;
        private int status;
        private @Nullable Throwable thrown;
        private List<Exchange> exchanges = List.of();
        private @Nullable Attempt next;

        Attempt(long start, @Nullable Map<Wait, Long> waits) {
            this.start = start;
            this.waits = waits;
        }
    }

    FollowedAttempts(long start) {
        this.start = start;
    }

    @Override
    public void waited(Wait what, long nanos) {
        if (waits == null) {
            waits = new EnumMap<>(Wait.class);
        }
        waits.merge(what, nanos, Long::sum);
    }

    @Override
    public void attempt(long now) {
        Attempt begun = new Attempt(now, waits);
        waits = null;
        if (last == null) {
            first = begun;
        } else {
            last.next = begun;
        }
        last = begun;
    }

    @Override
    public boolean readsAttributes() {
        return false;
    }

    @Override
    public void attempted(@Nullable Object answer, @Nullable Throwable thrown, long now) {
        if (last != null) {
            last.end = now;
            last.status = Busy.statusOf(answer);
            last.thrown = thrown;
        }
    }

    @Override
    public void exchanged(Exchange exchange) {
        Attempt attempt = last;
        if (attempt == null || attempt.exchanges.size() == MOST_EXCHANGES) {
            return;
        }
        if (attempt.exchanges.isEmpty()) {
            attempt.exchanges = List.of(exchange);
            return;
        }
        List<Exchange> more = new ArrayList<>(attempt.exchanges);
        more.add(exchange);
        attempt.exchanges = more;
    }

    /** The attempts, with times since the transaction began; and waits that no attempt followed. */
    void describe(long begin, Map<String, Object> to) {
        List<Object> all = new ArrayList<>();
        for (Attempt each = first; each != null; each = each.next) {
            all.add(describe(each, begin));
        }
        if (!all.isEmpty()) {
            to.put("attempts", all);
        }
        describe(waits, to);
    }

    private static Map<String, Object> describe(Attempt attempt, long begin) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("at_ms", millis(attempt.start - begin));
        describe(attempt.waits, all);
        if (attempt.end != 0) {
            all.put("ms", millis(attempt.end - attempt.start));
        }
        if (attempt.status > 0) {
            all.put("status", attempt.status);
        }
        if (attempt.thrown instanceof Unanswered ending) {
            all.put("ending", ending.ending());
            all.put("cause", ending.causeName());
        } else if (attempt.thrown != null) {
            all.put("exception", attempt.thrown.getClass().getName());
        }
        if (!attempt.exchanges.isEmpty()) {
            all.put(
                    "exchanges",
                    attempt.exchanges.stream().map(FollowedAttempts::describe).toList());
        }
        return all;
    }

    private static void describe(@Nullable Map<Wait, Long> waits, Map<String, Object> to) {
        if (waits != null) {
            waits.forEach((what, nanos) -> {
                String name = what == Wait.PERMIT ? "queue" : what.name().toLowerCase(Locale.ROOT);
                to.put(name + "_ms", millis(nanos));
            });
        }
    }

    private static Map<String, Object> describe(Exchange exchange) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("address", exchange.address());
        exchange.times().forEach((part, nanos) -> all.put(part + "_ms", millis(nanos)));
        if (exchange.sent() > 0) {
            all.put("sent", exchange.sent());
        }
        if (exchange.received() > 0) {
            all.put("received", exchange.received());
        }
        return all;
    }

    /** To a microsecond. */
    static double millis(long nanos) {
        return Math.round(nanos / MILLI * THOUSAND) / THOUSAND;
    }
}
