package dev.penstock.lab.page;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Spread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The downstream cost of a transaction: connections, calls and duplicates per transaction, as bars. */
final class DownstreamSection {
    private static final List<Share> SHARES = List.of(
            new Share("Connections opened", "connections_opened", "count"),
            new Share("Calls to the dependency", "downstream_calls_per_s", "tps"),
            new Share("Duplicates sent", "duplicates", "count"));

    private static final String ROW = "24";

    private final Html html;
    private final CourseView course;

    private DownstreamSection(Html html, CourseView course) {
        this.html = html;
        this.course = course;
    }

    /** One metric divided by another. */
    private record Share(String title, String key, String per) {
        @Nullable
        Double of(Contestant contestant) {
            Spread some = contestant.metrics().get(key);
            Spread all = contestant.metrics().get(per);
            return some == null || all == null || !(all.median() > 0) ? null : some.median() / all.median();
        }
    }

    /** Adds the section; nothing when no such metric was measured. */
    static void add(Html html, CourseView course) {
        List<Share> known = SHARES.stream()
                .filter(share -> course.contestants().stream().anyMatch(contestant -> share.of(contestant) != null))
                .toList();
        if (known.isEmpty()) {
            return;
        }
        html.element("h3", "Calls per transaction");
        html.element("p", "Medians per offered transaction; for calls, per answered transaction.", "class", "note");
        html.open("div", "class", "forests");
        known.forEach(new DownstreamSection(html, course)::bars);
        html.close().line();
    }

    private void bars(Share share) {
        List<@Nullable Double> values = new ArrayList<>();
        course.contestants().forEach(contestant -> values.add(share.of(contestant)));
        double most = 0;
        for (Double value : values) {
            most = value == null ? most : Math.max(most, value);
        }
        html.open("div", "class", "forest").open("div", "class", "forest-head").element("h4", share.title());
        html.element("span", "per transaction", "class", "unit").close();
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", share.title());
        html.open("table", "class", "ratios bars").open("thead").open("tr");
        html.element("th", "contestant", "scope", "col");
        html.open("th", "scope", "col", "class", "strip")
                .element("span", "from 0", "class", "unseen")
                .close();
        html.element("th", "each", "scope", "col", "class", "number").close(2).open("tbody");
        for (int i = 0; i < values.size(); i++) {
            bar(i, values.get(i), most);
        }
        html.close(4);
    }

    private void bar(int contestant, @Nullable Double value, double most) {
        String css = course.isOurs(contestant) ? "ours" : null;
        html.open("tr", "class", css);
        html.element("th", course.contestants().get(contestant).name(), "scope", "row");
        html.open("td", "class", "strip").open("svg", "height", ROW, "aria-hidden", "true");
        if (value != null && most > 0) {
            html.shape(
                    "rect",
                    "class",
                    "bar",
                    "y",
                    "6",
                    "height",
                    "12",
                    "width",
                    PageNumbers.percent(value / most),
                    "rx",
                    "2");
        }
        html.shape("line", "class", "one", "x1", "0", "x2", "0", "y1", "0", "y2", ROW);
        html.close(2);
        html.element("td", value == null ? PageNumbers.NOT_KNOWN : PageNumbers.number(value), "class", "number figure")
                .close();
    }
}
