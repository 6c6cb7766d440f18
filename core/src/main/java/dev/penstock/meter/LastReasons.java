package dev.penstock.meter;

import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.text.Durations;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last reason for each cause by which transactions of a flow end without an answer, and decides what is logged: a
 * reason immediately when it is new, then with a count, at most once a minute.
 *
 * <h2>Design note</h2>
 *
 * <p>Two reasons are equal when they differ only in numbers and identifiers ({@link Reason#kind}). At most {@value
 * #MAX_REASONS} are kept; a new one replaces one that was not seen for ten minutes. If there is none to replace, it is counted
 * under "others" of its cause.
 *
 * <p>A rejection under overload must cost next to nothing. So a rejection without an exception is identified by its cause alone,
 * and no text is built to count it. The last ending of each reason is stored, at most once a second, and its text is built only
 * when it is read.
 *
 * <p>Rejections by a draining flow are not logged, since they are intended.
 *
 * <p>It returns lines to log and writes nothing itself. Thread-safe.
 */
public final class LastReasons {
    /** The maximum number of reasons of a flow, in addition to one for each cause of a rejection. */
    static final int MAX_REASONS = 64;

    private static final long SECOND = 1_000_000_000L;
    private static final long LOG_EVERY = 60 * SECOND;
    private static final long FORGET_AFTER = 600 * SECOND;

    private record Seen(Unanswered ending, long nanos, Instant at, LongAdder count) {}

    private record Logged(long nanos, long count) {}

    private final String flow;
    private final InstantSource wallClock;
    private final Map<Rejected.Cause, ReasonState> rejections = new EnumMap<>(Rejected.Cause.class);
    private final Map<String, ReasonState> reasons = new ConcurrentHashMap<>();
    private final Map<Enum<?>, ReasonState> others = new ConcurrentHashMap<>();

    /**
     * Without reasons.
     *
     * @param flow the name of the flow: log lines begin with it
     * @param wallClock the clock for {@link Reason.Last#at()}
     */
    public LastReasons(String flow, InstantSource wallClock) {
        this.flow = flow;
        this.wallClock = wallClock;
        Arrays.stream(Rejected.Cause.values()).forEach(cause -> rejections.put(cause, new ReasonState()));
    }

    /**
     * Records an ending.
     *
     * @param ending the ending of a transaction
     * @param now the reading of a ticker, in nanoseconds
     * @return the line to log now, or null for none
     */
    public @Nullable String ended(Unanswered ending, long now) {
        String line = of(ending, now).ended(ending, now);
        return ending.why() == Rejected.Cause.DRAINING ? null : line;
    }

    private ReasonState of(Unanswered ending, long now) {
        if (ending instanceof Rejected rejection && rejection.getCause() == null) {
            return Objects.requireNonNull(rejections.get(rejection.why()));
        }
        String kind = Reason.kind(ending);
        ReasonState known = reasons.get(kind);
        return known != null ? known : add(kind, ending, now);
    }

    private synchronized ReasonState add(String kind, Unanswered ending, long now) {
        ReasonState known = reasons.get(kind);
        if (known != null) {
            return known;
        }
        if (reasons.size() >= MAX_REASONS) {
            reasons.values().removeIf(old -> old.isForgotten(now));
        }
        if (reasons.size() >= MAX_REASONS) {
            return others.computeIfAbsent(ending.why(), why -> new ReasonState());
        }
        ReasonState state = new ReasonState();
        reasons.put(kind, state);
        return state;
    }

    /** The last reason for each cause that occurred, ordered by ending and cause. */
    public List<Reason.Last> last() {
        Map<String, Seen> latest = new TreeMap<>();
        all().map(state -> state.seen).filter(Objects::nonNull).forEach(seen -> {
            String cause = seen.ending.ending() + " " + seen.ending.causeName();
            latest.merge(cause, seen, (one, other) -> one.nanos - other.nanos < 0 ? other : one);
        });
        return latest.values().stream()
                .map(seen -> new Reason.Last(seen.ending.reason(), seen.at, seen.count.sum()))
                .toList();
    }

    /**
     * The lines for endings that were not logged yet, for the end of a flow.
     *
     * @param now the reading of a ticker, in nanoseconds
     */
    public List<String> unlogged(long now) {
        List<String> lines = new ArrayList<>();
        all().forEach(state -> {
            String line = state.unlogged(now);
            if (line != null) {
                lines.add(line);
            }
        });
        return lines;
    }

    private Stream<ReasonState> all() {
        return Stream.of(rejections, reasons, others).flatMap(map -> map.values().stream());
    }

    /** The state of one reason. */
    private final class ReasonState {
        private final LongAdder count = new LongAdder();
        private final AtomicReference<@Nullable Logged> logged = new AtomicReference<>();
        private volatile @Nullable Seen seen;

        @Nullable
        String ended(Unanswered ending, long now) {
            count.increment();
            Seen before = seen;
            if (before == null || now - before.nanos >= SECOND) {
                seen = new Seen(ending, now, wallClock.instant(), count);
            }
            Logged last = logged.get();
            if (last == null) {
                return logged.compareAndSet(null, new Logged(now, 1)) ? flow + ": " + ending.reason() : null;
            }
            return now - last.nanos >= LOG_EVERY ? more(last, ending, now) : null;
        }

        @Nullable
        String unlogged(long now) {
            Logged last = logged.get();
            Seen latest = seen;
            if (last == null || latest == null || latest.ending.why() == Rejected.Cause.DRAINING) {
                return null;
            }
            return count.sum() <= last.count ? null : more(last, latest.ending, now);
        }

        private @Nullable String more(Logged last, Unanswered ending, long now) {
            long all = count.sum();
            return logged.compareAndSet(last, new Logged(now, all))
                    ? "%s: %d more in %s: %s"
                            .formatted(flow, all - last.count, Durations.format(now - last.nanos), ending.reason())
                    : null;
        }

        boolean isForgotten(long now) {
            Seen latest = seen;
            return latest != null && now - latest.nanos >= FORGET_AFTER;
        }
    }
}
