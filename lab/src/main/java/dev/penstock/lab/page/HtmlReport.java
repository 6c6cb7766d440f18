package dev.penstock.lab.page;

import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A result file as one HTML page: verdicts first, then metrics, plots over time and by percentile, the machine, and the
 * command that repeats it. The page needs no network and no other file, works without scripts, and prints.
 *
 * <p>For races with several courses, loads of one target, and comparisons. What a file does not contain is omitted or
 * n/a. A race of 2 courses with 14 contestants each is below 600 KB.
 *
 * <p>Stateless and thread-safe.
 */
public final class HtmlReport {
    private HtmlReport() {}

    /**
     * Creates the page.
     *
     * @param file the measurements
     * @return a whole HTML document, to be stored in UTF-8
     */
    public static String of(ResultFile file) {
        PageFiles files = PageFiles.OURS;
        List<CourseView> courses = CourseView.of(file);
        PlotData data = new PlotData();
        Html html = new Html();
        html.raw("<!doctype html>\n").open("html", "lang", "en").line();
        head(html, file, files);
        html.open("body").line();
        hatch(html);
        html.open("main");
        Summary.add(html, file, courses);
        for (CourseView course : courses) {
            CourseSection.add(html, course, data);
        }
        Provenance.add(html, file);
        html.close().line();
        html.open("script", "type", "application/json", "id", "data")
                .raw(data.json())
                .close()
                .line();
        html.open("script").raw(files.script()).close().line();
        html.close(2).line();
        return html.toString();
    }

    /**
     * Writes the page to a file, replacing an existing one.
     *
     * @param file the measurements
     * @param path the file to write
     * @throws IOException when that fails; the message names the file
     */
    public static void write(ResultFile file, Path path) throws IOException {
        ResultFile.writeText(path, of(file));
    }

    private static void head(Html html, ResultFile file, PageFiles files) {
        html.open("head").shape("meta", "charset", "utf-8");
        html.shape("meta", "http-equiv", "Content-Security-Policy", "content", files.policy());
        html.shape("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.shape("meta", "name", "color-scheme", "content", "light dark");
        html.shape("link", "rel", "icon", "href", "data:,");
        html.element("title", file.experiment() + " · Penstock").line();
        html.open("script").raw(files.guard()).close().line();
        html.open("style").raw(files.style()).close().line();
        html.close().line();
    }

    /** The hatch pattern of the warm-up, used by all plots. */
    private static void hatch(Html html) {
        html.open("svg", "class", "hidden", "width", "0", "height", "0", "aria-hidden", "true");
        html.open(
                "pattern",
                "id",
                "hatch",
                "width",
                "6",
                "height",
                "6",
                "patternUnits",
                "userSpaceOnUse",
                "patternTransform",
                "rotate(45)");
        html.shape("line", "x1", "0", "x2", "0", "y1", "0", "y2", "6", "class", "hatch")
                .close(2)
                .line();
    }
}
