package dev.penstock.lab.page;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.report.StealNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The page section of one course. */
final class CourseSection {
    private final Html html;
    private final CourseView course;

    private CourseSection(Html html, CourseView course) {
        this.html = html;
        this.course = course;
    }

    /** Adds a course, and its plots to the page's data. */
    static void add(Html html, CourseView course, PlotData data) {
        html.open("section", "class", "course", "id", course.id());
        CourseSection section = new CourseSection(html, course);
        section.opening();
        section.probe();
        if (!course.single() || !course.verdicts().isEmpty()) {
            Verdicts.add(html, course);
        }
        section.goals();
        FigureTable.add(html, course);
        section.plots(data);
        DownstreamSection.add(html, course);
        section.failures();
        section.settings();
        html.close().line();
    }

    private void opening() {
        CourseNote note = course.note();
        html.element("h2", course.title());
        if (note != null) {
            html.open("p", "class", "workload").text(note.workload());
            html.text(". " + PageNumbers.many(note.rounds(), "round") + ".").close();
            if (note.why() != null) {
                html.element("p", note.why(), "class", "why");
            }
            StealNote.of(course.contestants())
                    .ifPresent(steal -> html.element("p", "During this course, " + steal + ".", "class", "note"));
        }
    }

    private void probe() {
        ProbeNote probe = course.note() == null ? null : course.note().probe();
        if (probe != null) {
            ProbeSection.add(html, course.id(), probe);
        }
    }

    private void goals() {
        CourseNote note = course.note();
        if (note == null || note.goals().isEmpty()) {
            return;
        }
        html.element("h3", "Goals");
        html.open("ul", "class", "goals");
        for (Goal goal : note.goals()) {
            html.open("li", "class", goal.met() ? "met" : "missed");
            html.element("i", goal.met() ? "✓" : "✕", "aria-hidden", "true");
            html.element("b", goal.met() ? "met" : "missed").text(" " + goal.what() + ": " + goal.found());
            html.close();
        }
        html.close().line();
    }

    private void plots(PlotData data) {
        TimePlots time = TimePlots.of(course);
        data.add(course, time);
        List<Plot> distribution = Percentiles.of(course).map(List::of).orElse(List.of());
        Optional<TradeoffPlot> tradeoff = TradeoffPlot.of(course);
        if (time.plots().isEmpty() && distribution.isEmpty() && tradeoff.isEmpty()) {
            return;
        }
        html.open("div", "class", "plots", "data-course", course.id());
        if (!course.single()) {
            legend();
        }
        tradeoff.ifPresent(plot -> plot.draw(html));
        if (!time.plots().isEmpty()) {
            html.element("h3", "Over time");
            html.element("p", bands(time), "class", "note");
            html.open("div", "class", "grid");
            time.plots().forEach(plot -> PlotSvg.draw(html, plot));
            html.close();
            notes(time);
        }
        if (!distribution.isEmpty()) {
            html.element("h3", "Percentiles");
            html.open("div", "class", "grid");
            distribution.forEach(plot -> PlotSvg.draw(html, plot));
            html.close();
        }
        html.close().line();
    }

    private void legend() {
        html.open("ul", "class", "legend", "aria-label", "Lines");
        for (int i = 0; i < course.contestants().size(); i++) {
            Contestant contestant = course.contestants().get(i);
            html.open("li", "data-c", String.valueOf(i));
            html.open("svg", "class", "swatch", "width", "30", "height", "10", "aria-hidden", "true");
            html.shape(
                    "line",
                    "class",
                    "line " + course.styles().get(i).css(),
                    "x1",
                    "1",
                    "x2",
                    "29",
                    "y1",
                    "5",
                    "y2",
                    "5");
            html.close().element("span", contestant.name());
            FigureTable.role(html, contestant.role());
            html.close();
        }
        html.close();
    }

    private String bands(TimePlots time) {
        List<String> sentences = new ArrayList<>();
        TimeBands bands = time.bands();
        if (!course.single()) {
            sentences.add("The median block of each contestant.");
        }
        if (bands.warmUpSeconds() > 0) {
            sentences.add("Hatched: the warm-up, which does not count.");
        }
        if (!bands.kinds().isEmpty()) {
            sentences.add("Shaded: faults (" + String.join(", ", bands.kinds()) + ")"
                    + (bands.whose() == null
                            ? "."
                            : " of " + bands.whose() + "; the faults of others were at other times."));
        }
        return String.join(" ", sentences);
    }

    private void notes(TimePlots time) {
        List<String> sentences = new ArrayList<>();
        if (!time.allZero().isEmpty()) {
            sentences.add("Always 0, not plotted: " + String.join(", ", time.allZero()) + ".");
        }
        if (!time.notShown().isEmpty()) {
            sentences.add("In the result file only: " + String.join(", ", time.notShown()) + ".");
        }
        if (!sentences.isEmpty()) {
            html.element("p", String.join(" ", sentences), "class", "note");
        }
        for (Contestant contestant : course.contestants()) {
            TimeLine line = contestant.timeLine();
            if (line != null && line.unsteady() != null) {
                html.open("p", "class", "warning").element("b", contestant.name());
                html.text(": " + line.unsteady()).close();
            }
        }
    }

    private void failures() {
        CourseNote note = course.note();
        if (note == null || note.blocksFailed().isEmpty()) {
            return;
        }
        html.element("h3", "Failed blocks");
        html.open("ul", "class", "failures");
        note.blocksFailed().forEach(line -> html.element("li", line));
        html.close().line();
    }

    private void settings() {
        if (course.contestants().stream()
                .allMatch(contestant -> contestant.settings().isEmpty())) {
            return;
        }
        html.open("details", "class", "settings").element("summary", "Settings");
        html.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Settings");
        html.open("table").open("thead").open("tr");
        html.element("th", "contestant", "scope", "col").element("th", "settings", "scope", "col");
        html.close(2).open("tbody");
        for (Contestant contestant : course.contestants()) {
            html.open("tr").element("th", contestant.name(), "scope", "row").open("td");
            for (Map.Entry<String, String> setting : contestant.settings().entrySet()) {
                html.open("span", "class", "setting").text(setting.getKey() + " ");
                html.element("code", setting.getValue()).close();
            }
            html.close(2);
        }
        html.close(4).line();
    }
}
