package dev.penstock.lab.page;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.StealNote;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A result file as one HTML page: verdicts first, then metrics, charts over time and by percentile, the machine, and the
 * command that repeats it. The page contains the result file and the scripts that draw it, so it needs no network and no
 * other file. Without scripts it shows the measurements as text.
 *
 * <p>For races with several courses, loads of one target, probes, and comparisons. What a file does not contain is
 * omitted or n/a. A race of 2 courses with 14 contestants each is below 700 KB.
 *
 * <p>Stateless and thread-safe.
 */
public final class HtmlReport {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private HtmlReport() {}

    /**
     * Creates the page.
     *
     * @param file the measurements
     * @return a whole HTML document, to be stored in UTF-8
     */
    public static String of(ResultFile file) {
        PageFiles files = PageFiles.OURS;
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <link rel="icon" href="data:,">
                <title>%s · Penstock</title>
                <script>%s</script>
                <style>%s</style>
                </head>
                <body>
                <main><noscript><h1>%s</h1>
                <p>The result as text. Tables and charts need JavaScript.</p>
                <pre>%s</pre></noscript></main>
                <script type="application/json" id="data">%s</script>
                <script>%s</script>
                </body>
                </html>
                """.formatted(
                        files.policy(),
                        escaped(file.experiment()),
                        files.guard(),
                        files.style(),
                        escaped(file.experiment()),
                        escaped(text(file)),
                        data(file),
                        files.script());
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

    /** What page.js draws, without characters that could end the script element or start a comment. */
    private static String data(ResultFile file) {
        Map<String, Metric> metrics = file.contestants().stream()
                .flatMap(contestant -> contestant.metrics().keySet().stream())
                .distinct()
                .collect(Collectors.toMap(Function.identity(), Metric::of, (a, b) -> a, TreeMap::new));
        Map<String, String> steal = new TreeMap<>();
        file.courses()
                .forEach(course ->
                        StealNote.of(file.contestants(course)).ifPresent(note -> steal.put(course.name(), note)));
        return "{\"result\":%s,\"metrics\":%s,\"steal\":%s}"
                .formatted(file.compactJson(), JSON.writeValueAsString(metrics), JSON.writeValueAsString(steal))
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026");
    }

    /** For readers without scripts: the medians of each contestant, and the verdicts. */
    private static String text(ResultFile file) {
        StringBuilder text = new StringBuilder(file.valid() ? "Valid\n\n" : "INVALID: " + file.whyInvalid() + "\n\n");
        for (CourseNote course : file.courses()) {
            text.append(course.name()).append(": ").append(course.workload()).append('\n');
            text.append(course.why() == null ? "" : course.why() + "\n");
            course.goals()
                    .forEach(goal -> text.append(goal.met() ? "met " : "missed ")
                            .append(goal.what() + ": " + goal.found() + "\n"));
            if (course.probe() != null) {
                course.probe().findings().forEach(line -> text.append(line).append('\n'));
            }
            text.append('\n');
        }
        for (Contestant contestant : file.contestants().stream()
                .flatMap(one -> Stream.concat(Stream.of(one), one.byLabel().stream()))
                .toList()) {
            String medians = contestant.metrics().entrySet().stream()
                    .map(metric -> Metric.of(metric.getKey()).title()
                            + (contestant.isLowerBound(metric.getKey()) ? " >= " : " ")
                            + Figures.number(metric.getValue().median()))
                    .collect(Collectors.joining(", "));
            text.append(in(contestant.course()) + contestant.name() + ": " + medians + "\n\n");
        }
        for (Comparison one : file.verdicts()) {
            text.append("%s%s: %s / %s by %s is %s, 95 %% interval %s to %s\n"
                    .formatted(
                            in(one.course()),
                            one.verdict(),
                            one.ours(),
                            one.other(),
                            Metric.of(one.metric()).title(),
                            Figures.ratio(one.ratio()),
                            Figures.ratio(one.low()),
                            Figures.ratio(one.high())));
        }
        return text + "\n" + file.command();
    }

    private static String in(@Nullable String course) {
        return course == null ? "" : course + ", ";
    }

    /** Text as content of an element, without control characters and those that change the direction of text. */
    private static String escaped(String text) {
        return text.replaceAll("[\\p{Cntrl}\u202A-\u202E\u2066-\u2069&&[^\n\t]]", "\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
