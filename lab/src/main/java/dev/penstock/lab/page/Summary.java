package dev.penstock.lab.page;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.ResultFile;
import java.util.List;

/** The top of the page: the experiment, its validity, and the verdicts. */
final class Summary {
    private Summary() {}

    static void add(Html html, ResultFile file, List<CourseView> courses) {
        html.open("header", "class", "top");
        html.open("p", "class", "brand")
                .element("b", "Penstock")
                .text(" " + file.version())
                .close();
        html.element("h1", file.experiment());
        validity(html, file);
        verdicts(html, file);
        if (courses.size() > 1) {
            courses(html, courses);
        }
        html.close().line();
    }

    private static void validity(Html html, ResultFile file) {
        if (file.valid()) {
            html.open("p", "class", "valid").element("i", "✓", "aria-hidden", "true");
            html.element("b", "Valid").text(": the validity checks passed.").close();
            return;
        }
        String why = file.whyInvalid();
        html.open("p", "class", "invalid", "role", "note").element("i", "✕", "aria-hidden", "true");
        html.element("b", "INVALID")
                .text(": " + (why == null ? "no reason in the file" : why))
                .close();
    }

    private static void verdicts(Html html, ResultFile file) {
        if (file.verdicts().isEmpty()) {
            return;
        }
        List<String> ours =
                file.verdicts().stream().map(Comparison::ours).distinct().toList();
        long others = file.verdicts().stream().map(Comparison::other).distinct().count();
        html.open("p", "class", "outcome")
                .text(String.join(", ", ours) + " against " + PageNumbers.many((int) others, "other") + ": ");
        Verdicts.tally(html, file.verdicts());
        html.close();
    }

    private static void courses(Html html, List<CourseView> courses) {
        html.open("nav", "aria-label", "Courses").open("ul", "class", "courses");
        for (CourseView course : courses) {
            html.open("li").element("a", course.title(), "href", "#" + course.id());
            if (!course.verdicts().isEmpty()) {
                html.text(" ");
                Verdicts.tally(html, course.verdicts());
            }
            CourseNote note = course.note();
            if (note != null && note.why() != null) {
                html.element("span", note.why(), "class", "why");
            }
            html.close();
        }
        html.close(2);
    }
}
