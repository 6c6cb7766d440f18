package dev.penstock.observe.page;

import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.Setting.Pin;
import dev.penstock.StageReport;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.page.EventLog.FlowEvent.News;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Derives events of a flow from consecutive snapshots, one a second.
 *
 * <p>An adaptive limit varies slightly all the time. It is reported when the mean of the last {@value #SMOOTHING}
 * snapshots differs by more than {@value #MOVED} from the last reported value, and within {@value #QUIET} snapshots of
 * a report only by more than {@value #MOVED_FAR}. Closed connections, rejections and failures, which occur in bursts,
 * are reported once, and again after {@value #QUIET} quiet snapshots.
 *
 * <p>No I/O. Not thread-safe.
 */
final class FlowChanges {
    /** The kind of an event about the limit. */
    static final String LIMIT = "limit";

    private static final double MOVED = 0.1;
    private static final double MOVED_FAR = 0.5;
    private static final int SMOOTHING = 5;
    private static final int QUIET = 10;

    private FlowSnapshot before;
    private double limit;
    private double reported;
    private int sinceMoved = QUIET;
    private int sinceClosed = QUIET;
    private int sinceRejected = QUIET;
    private int sinceLost = QUIET;
    private final Map<String, Reported> reasons = new HashMap<>();

    /**
     * The reason last reported for a cause, and the number of snapshots since the report and since the last occurrence.
     */
    private record Reported(Reason reason, int sinceReported, int sinceSeen) {}

    FlowChanges(FlowSnapshot first) {
        this.before = first;
        this.limit = limitOf(first);
        this.reported = limit;
    }

    /** The events since the previous snapshot. */
    List<News> next(FlowSnapshot now) {
        List<News> news = new ArrayList<>();
        pins(now, news);
        limit(now, news);
        breaker(now, news);
        connections(now, news);
        rejections(now, news);
        reasons(now, news);
        losses(now, news);
        answers(now, news);
        before = now;
        return news;
    }

    private void pins(FlowSnapshot now, List<News> news) {
        for (Setting is : now.settings()) {
            Setting was = before.setting(is.name()).orElse(is);
            boolean anew =
                    is.pin() == Pin.ON && (was.pin() != Pin.ON || !was.reason().equals(is.reason()));
            if (anew) {
                String from = was.value().equals(is.value()) ? "" : ", before that " + was.value();
                news.add(new News("pin", "%s is %s, %s%s".formatted(is.name(), is.value(), is.reason(), from)));
            } else if (was.pin() == Pin.ON && is.pin() == Pin.OFF) {
                news.add(new News("pin", "%s is unpinned and continues from %s".formatted(is.name(), is.value())));
            }
        }
    }

    private void limit(FlowSnapshot now, List<News> news) {
        Setting is = now.setting("limit").orElse(null);
        if (is == null) {
            return;
        }
        double value = limitOf(now);
        if (is.pinned()) {
            limit = value;
            reported = value;
            return;
        }
        limit += (value - limit) / SMOOTHING;
        sinceMoved++;
        double moved = Math.abs(limit - reported) / reported;
        if (moved > (sinceMoved < QUIET ? MOVED_FAR : MOVED)) {
            news.add(
                    new News(LIMIT, "the limit changed from %.0f to %.0f: %s".formatted(reported, value, is.reason())));
            limit = value;
            reported = value;
            sinceMoved = 0;
        }
    }

    private static double limitOf(FlowSnapshot snapshot) {
        return snapshot.setting("limit")
                .map(Setting::value)
                .map(Double::valueOf)
                .orElse(0.0);
    }

    private void breaker(FlowSnapshot now, List<News> news) {
        StageReport is = now.stage("breaker").orElse(null);
        StageReport was = before.stage("breaker").orElse(null);
        if (is == null || was == null) {
            return;
        }
        if (is.started() > was.started()) {
            news.add(new News("breaker", "the breaker opened: " + reason(is)));
        }
        boolean closed = stateOf(is).equals("closed");
        if (closed && (!stateOf(was).equals("closed") || is.started() > was.started())) {
            news.add(new News("breaker", "the breaker closed"));
        }
    }

    /** The state of a breaker: the note is the state, a colon and the reason. */
    private static String stateOf(StageReport breaker) {
        int colon = breaker.note().indexOf(": ");
        return colon < 0 ? breaker.note() : breaker.note().substring(0, colon);
    }

    private static String reason(StageReport breaker) {
        return breaker.note()
                .substring(Math.min(breaker.note().length(), stateOf(breaker).length() + 2));
    }

    private void connections(FlowSnapshot now, List<News> news) {
        List<String> what = new ArrayList<>();
        String evicted = "evicted because a connection idle for as long was found dead";
        count(more(now.connections(), before.connections(), "evicted"), evicted, what);
        count(more(now.connections(), before.connections(), "found_dead"), "found dead", what);
        count(more(now.connections(), before.connections(), "found_closed"), "closed by the peer while idle", what);
        count(more(now.connections(), before.connections(), "stale_used"), "ended before an answer began", what);
        if (what.isEmpty()) {
            sinceClosed++;
        } else if (sinceClosed >= QUIET) {
            sinceClosed = 0;
            news.add(new News("connections", "connections: " + String.join(", ", what)));
        } else {
            sinceClosed = 0;
        }
    }

    private static void count(long many, String what, List<String> to) {
        if (many > 0) {
            to.add(many + " " + what);
        }
    }

    private static long more(Map<String, Long> now, Map<String, Long> before, String name) {
        return now.getOrDefault(name, 0L) - before.getOrDefault(name, 0L);
    }

    private void rejections(FlowSnapshot now, List<News> news) {
        long many = now.account().rejected() - before.account().rejected();
        if (many > 0 && sinceRejected >= QUIET) {
            news.add(new News(
                    "rejected",
                    "rejecting: %d in the last second, by cause %s%s"
                            .formatted(many, causes(rejected(now), rejected(before)), why(now))));
        }
        sinceRejected = many > 0 ? 0 : sinceRejected + 1;
    }

    private static @Nullable Map<String, Long> rejected(FlowSnapshot snapshot) {
        return snapshot.account().causes().get("rejected");
    }

    /** The message of the last rejection. */
    private static String why(FlowSnapshot now) {
        return now.lastReason(reason -> reason.ending().equals("rejected"))
                .map(last -> ": " + last.reason().format())
                .orElse("");
    }

    /**
     * Reports a cause that was quiet before. With a different reason it is reported again after
     * {@value #QUIET} snapshots.
     */
    private void reasons(FlowSnapshot now, List<News> news) {
        for (Reason.Last last : now.reasons()) {
            Reason reason = last.reason();
            if (reason.ending().equals("rejected")) {
                continue;
            }
            String cause = reason.ending() + " (" + reason.cause() + ")";
            long many = ended(now, reason) - ended(before, reason);
            Reported reported = reasons.get(cause);
            if (many > 0 && isNews(reported, reason)) {
                news.add(new News(
                        reason.ending(),
                        "%d in the last second ended as %s: %s".formatted(many, cause, reason.format())));
                reasons.put(cause, new Reported(reason, 0, 0));
            } else if (reported != null) {
                int sinceSeen = many > 0 ? 0 : reported.sinceSeen + 1;
                reasons.put(cause, new Reported(reported.reason, reported.sinceReported + 1, sinceSeen));
            }
        }
    }

    private static boolean isNews(@Nullable Reported reported, Reason reason) {
        return reported == null
                || reported.sinceSeen >= QUIET
                || (reported.sinceReported >= QUIET && !reported.reason.isLike(reason));
    }

    private static long ended(FlowSnapshot snapshot, Reason reason) {
        Map<String, Long> causes = snapshot.account().causes().getOrDefault(reason.ending(), Map.of());
        return causes.getOrDefault(reason.cause(), 0L);
    }

    private void losses(FlowSnapshot now, List<News> news) {
        String where = causes(now.counters("lost"), before.counters("lost"));
        if (!where.isEmpty() && sinceLost >= QUIET) {
            news.add(new News("lost", "datagrams are lost: " + where));
        }
        sinceLost = where.isEmpty() ? sinceLost + 1 : 0;
    }

    /** The classes of errors that the target has begun or ceased to answer more often than usual. */
    private void answers(FlowSnapshot now, List<News> news) {
        now.errors().forEach((errors, sentence) -> {
            if (!before.errors().containsKey(errors)) {
                news.add(new News("answers", sentence));
            }
        });
        before.errors().keySet().stream()
                .filter(errors -> !now.errors().containsKey(errors))
                .forEach(errors -> news.add(new News("answers", "answers " + errors + " are as rare as usual again")));
    }

    private static String causes(@Nullable Map<String, Long> now, @Nullable Map<String, Long> before) {
        Map<String, Long> was = before == null ? Map.of() : before;
        Map<String, Long> is = now == null ? Map.of() : now;
        return is.keySet().stream()
                .filter(name -> more(is, was, name) > 0)
                .map(name -> name + " " + more(is, was, name))
                .collect(Collectors.joining(", "));
    }
}
