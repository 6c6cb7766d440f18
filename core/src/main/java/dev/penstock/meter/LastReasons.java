package dev.penstock.meter;

import dev.penstock.Durations;
import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
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
 * Keeps the last reason of each cause by which transactions of a flow end without an answer, and decides what of it belongs
 * into the log: a reason at once when it is new, then how often it came, at most once a minute.
 *
 * <h2>Design note</h2>
 *
 * <p>Two reasons are one when they differ only in numbers and identifiers ({@link Reason#kind}). At most {@value
 * #MOST_REASONS} are kept; a new one takes the place of one that was not seen for ten minutes. Where there is none, it
 * counts among the others of its cause.
 *
 * <p>A rejection under overload has to cost next to nothing, so a rejection without an exception behind it is known by its
 * cause alone: no text is made to count it. Of each reason the last ending is kept, at most once a second, and what it says
 * is made when somebody reads it.
 *
 * <p>What is rejected because the flow drains is not logged: whoever drains a flow wants that.
 *
 * <p>Endings and times go in, lines for the log come out: it writes nothing itself. Safe for many threads.
 */
public final class LastReasons {
    /** How many reasons of a flow are told apart, beside one for each cause of a rejection. */
    static final int MOST_REASONS = 64;

    private static final long SECOND = 1_000_000_000L;
    private static final long LOG_EVERY = 60 * SECOND;
    private static final long FORGET_AFTER = 600 * SECOND;

    /**
     * The last reason of a cause.
     *
     * @param reason the reason
     * @param at when it was seen last, to a second
     * @param count how many transactions ended by this reason so far
     */
    public record Last(Reason reason, Instant at, long count) {}

    private record Seen(Unanswered ending, long nanos, Instant at, LongAdder count) {}

    private record Logged(long nanos, long count) {}

    private final String flow;
    private final InstantSource wallClock;
    private final Map<Rejected.Cause, Kept> rejections = new EnumMap<>(Rejected.Cause.class);
    private final Map<String, Kept> reasons = new ConcurrentHashMap<>();
    private final Map<Enum<?>, Kept> others = new ConcurrentHashMap<>();

    /**
     * Has seen nothing yet.
     *
     * @param flow whose endings they are: log lines begin with it
     * @param wallClock tells when a reason was seen
     */
    public LastReasons(String flow, InstantSource wallClock) {
        this.flow = flow;
        this.wallClock = wallClock;
        Arrays.stream(Rejected.Cause.values()).forEach(cause -> rejections.put(cause, new Kept()));
    }

    /**
     * Takes down an ending.
     *
     * @param ending what a transaction ended as
     * @param now the reading of a ticker, nanoseconds
     * @return the line to log now, or null for none
     */
    public @Nullable String ended(Unanswered ending, long now) {
        String line = of(ending, now).ended(ending, now);
        return ending.why() == Rejected.Cause.DRAINING ? null : line;
    }

    private Kept of(Unanswered ending, long now) {
        if (ending instanceof Rejected rejection && rejection.getCause() == null) {
            return Objects.requireNonNull(rejections.get(rejection.why()));
        }
        String kind = Reason.kind(ending);
        Kept known = reasons.get(kind);
        return known != null ? known : added(kind, ending, now);
    }

    private synchronized Kept added(String kind, Unanswered ending, long now) {
        Kept known = reasons.get(kind);
        if (known != null) {
            return known;
        }
        if (reasons.size() >= MOST_REASONS) {
            reasons.values().removeIf(old -> old.isForgotten(now));
        }
        if (reasons.size() >= MOST_REASONS) {
            return others.computeIfAbsent(ending.why(), why -> new Kept());
        }
        Kept kept = new Kept();
        reasons.put(kind, kept);
        return kept;
    }

    /** The last reason of each cause that occurred, in the order of endings and causes. */
    public List<Last> last() {
        Map<String, Seen> latest = new TreeMap<>();
        all().map(kept -> kept.seen).filter(Objects::nonNull).forEach(seen -> {
            String cause = seen.ending.ending() + " " + seen.ending.whyWord();
            latest.merge(cause, seen, (one, other) -> one.nanos - other.nanos < 0 ? other : one);
        });
        return latest.values().stream()
                .map(seen -> new Last(seen.ending.reason(), seen.at, seen.count.sum()))
                .toList();
    }

    /**
     * What came since it was logged last, as lines to log now: for the end of a flow.
     *
     * @param now the reading of a ticker, nanoseconds
     */
    public List<String> rest(long now) {
        List<String> lines = new ArrayList<>();
        all().forEach(kept -> {
            String line = kept.rest(now);
            if (line != null) {
                lines.add(line);
            }
        });
        return lines;
    }

    private Stream<Kept> all() {
        return Stream.of(rejections, reasons, others).flatMap(map -> map.values().stream());
    }

    /** One reason. */
    private final class Kept {
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
        String rest(long now) {
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
                            .formatted(flow, all - last.count, Durations.words(now - last.nanos), ending.reason())
                    : null;
        }

        boolean isForgotten(long now) {
            Seen latest = seen;
            return latest != null && now - latest.nanos >= FORGET_AFTER;
        }
    }
}
