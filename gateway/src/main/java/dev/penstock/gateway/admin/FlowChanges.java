package dev.penstock.gateway.admin;

import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.Setting.Pin;
import dev.penstock.gateway.admin.FlowEvent.News;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.StageReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a flow between one look and the next, in sentences. Looks go in, events come out; one look each second.
 *
 * <p>A limit that finds itself tries a few more and a few less all the time. So it has moved when the mean of the last {@value
 * #CALM} looks is more than {@value #MOVED} beside what was told last, and within {@value #QUIET} looks of that only when it
 * is more than {@value #MOVED_FAR}. What comes in bunches, closed connections, rejections
 * and failures, is told once, and again when it has been quiet for {@value #QUIET} looks.
 *
 * <p>Pure. For one thread at a time.
 */
final class FlowChanges {
    private static final double MOVED = 0.1;
    private static final double MOVED_FAR = 0.5;
    private static final int CALM = 5;
    private static final int QUIET = 10;

    private FlowSnapshot before;
    private double limit;
    private double told;
    private int sinceMoved = QUIET;
    private int sinceClosed = QUIET;
    private int sinceRejected = QUIET;
    private int sinceLost = QUIET;
    private final Map<String, Told> reasons = new HashMap<>();

    /** What was told of a cause, how many looks ago, and how many looks ago the cause occurred. */
    private record Told(Reason reason, int sinceTold, int sinceSeen) {}

    FlowChanges(FlowSnapshot first) {
        this.before = first;
        this.limit = limitOf(first);
        this.told = limit;
    }

    /** The events since the look before. */
    List<News> next(FlowSnapshot now) {
        List<News> news = new ArrayList<>();
        pins(now, news);
        limit(now, news);
        breaker(now, news);
        connections(now, news);
        rejections(now, news);
        reasons(now, news);
        losses(now, news);
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
                news.add(new News("pin", "%s is unpinned, and goes on from %s".formatted(is.name(), is.value())));
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
            told = value;
            return;
        }
        limit += (value - limit) / CALM;
        sinceMoved++;
        double moved = Math.abs(limit - told) / told;
        if (moved > (sinceMoved < QUIET ? MOVED_FAR : MOVED)) {
            news.add(new News("limit", "the limit moved from %.0f to %.0f: %s".formatted(told, value, is.reason())));
            limit = value;
            told = value;
            sinceMoved = 0;
        }
    }

    private static double limitOf(FlowSnapshot look) {
        return look.setting("limit").map(Setting::value).map(Double::valueOf).orElse(0.0);
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
        boolean closed = word(is).equals("closed");
        if (closed && (!word(was).equals("closed") || is.started() > was.started())) {
            news.add(new News("breaker", "the breaker closed again"));
        }
    }

    /** A breaker says how it stands, and why. */
    private static String word(StageReport breaker) {
        int colon = breaker.note().indexOf(": ");
        return colon < 0 ? breaker.note() : breaker.note().substring(0, colon);
    }

    private static String reason(StageReport breaker) {
        return breaker.note()
                .substring(Math.min(breaker.note().length(), word(breaker).length() + 2));
    }

    private void connections(FlowSnapshot now, List<News> news) {
        List<String> what = new ArrayList<>();
        String evicted = "evicted with the first of their generation that was found dead";
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
                    "began to reject: %d in a second, by cause %s%s"
                            .formatted(many, causes(rejected(now), rejected(before)), why(now))));
        }
        sinceRejected = many > 0 ? 0 : sinceRejected + 1;
    }

    private static @Nullable Map<String, Long> rejected(FlowSnapshot look) {
        return look.account().causes().get("rejected");
    }

    /** What the last rejection said. */
    private static String why(FlowSnapshot now) {
        return now.reasons().stream()
                .filter(last -> last.reason().ending().equals("rejected"))
                .max(Comparator.comparing(LastReasons.Last::at))
                .map(last -> ": " + last.reason().words())
                .orElse("");
    }

    /** A cause is told when it was quiet before. When its reason is another, it is told again after {@value #QUIET} looks. */
    private void reasons(FlowSnapshot now, List<News> news) {
        for (LastReasons.Last last : now.reasons()) {
            Reason reason = last.reason();
            if (reason.ending().equals("rejected")) {
                continue;
            }
            String cause = reason.ending() + " (" + reason.cause() + ")";
            long many = ended(now, reason) - ended(before, reason);
            Told told = reasons.get(cause);
            if (many > 0 && isNews(told, reason)) {
                news.add(new News(
                        reason.ending(), "%d in a second ended as %s: %s".formatted(many, cause, reason.words())));
                reasons.put(cause, new Told(reason, 0, 0));
            } else if (told != null) {
                int sinceSeen = many > 0 ? 0 : told.sinceSeen + 1;
                reasons.put(cause, new Told(told.reason, told.sinceTold + 1, sinceSeen));
            }
        }
    }

    private static boolean isNews(@Nullable Told told, Reason reason) {
        return told == null || told.sinceSeen >= QUIET || (told.sinceTold >= QUIET && !told.reason.isLike(reason));
    }

    private static long ended(FlowSnapshot look, Reason reason) {
        Map<String, Long> causes = look.account().causes().getOrDefault(reason.ending(), Map.of());
        return causes.getOrDefault(reason.cause(), 0L);
    }

    private void losses(FlowSnapshot now, List<News> news) {
        String where = causes(now.lost(), before.lost());
        if (!where.isEmpty() && sinceLost >= QUIET) {
            news.add(new News("lost", "datagrams are lost: " + where));
        }
        sinceLost = where.isEmpty() ? sinceLost + 1 : 0;
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
