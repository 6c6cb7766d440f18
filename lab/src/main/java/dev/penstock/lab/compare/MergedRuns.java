package dev.penstock.lab.compare;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Merges several runs of the same experiment into one result, with the blocks of all. */
public final class MergedRuns {
    private MergedRuns() {}

    /**
     * Merges results. Contestants match by course, name and load. Slices within a run are dropped, because several runs
     * are better evidence. Everything except the blocks is taken from the first result.
     *
     * @param files at least one
     * @return one result; the given one when there is only one
     * @throws IllegalArgumentException when they are not runs of the same experiment; the message says what to do
     */
    public static ResultFile joined(List<ResultFile> files) {
        ResultFile first = files.getFirst();
        if (files.size() == 1) {
            return first;
        }
        files.forEach(file -> same(first, file));
        ResultFile invalid =
                files.stream().filter(file -> !file.valid()).findFirst().orElse(first);
        List<Contestant> contestants = new ArrayList<>();
        for (int i = 0; i < first.contestants().size(); i++) {
            contestants.add(joined(files, i));
        }
        return new ResultFile(
                first.experiment(),
                first.version(),
                first.command(),
                first.seed(),
                invalid.valid(),
                invalid.whyInvalid(),
                stands(files, invalid),
                first.machine(),
                first.aaNoisePercent(),
                first.courses(),
                contestants,
                List.of());
    }

    /** The figures that are right in all. */
    private static List<String> stands(List<ResultFile> files, ResultFile invalid) {
        return invalid.stands().stream()
                .filter(key -> files.stream().allMatch(file -> file.isRight(key)))
                .toList();
    }

    private static Contestant joined(List<ResultFile> files, int index) {
        Contestant first = files.getFirst().contestants().get(index);
        List<Map<String, Double>> blocks = new ArrayList<>();
        files.forEach(file -> blocks.addAll(file.contestants().get(index).blocks()));
        Contestant all = Contestant.of(first.name(), first.role(), first.settings(), blocks);
        return new Contestant(
                first.course(),
                first.name(),
                first.role(),
                first.settings(),
                all.blocks(),
                all.metrics(),
                List.of(),
                first.percentiles(),
                first.timeLine(),
                List.of(),
                labels(files, index));
    }

    /** The loads are the same, so they have the same labels. */
    private static Map<String, List<Map<String, Double>>> labels(List<ResultFile> files, int index) {
        Map<String, List<Map<String, Double>>> labels = new LinkedHashMap<>();
        files.forEach(file -> file.contestants()
                .get(index)
                .labels()
                .forEach((label, blocks) -> labels.computeIfAbsent(label, first -> new ArrayList<>())
                        .addAll(blocks)));
        return labels;
    }

    private static void same(ResultFile a, ResultFile b) {
        boolean same = a.experiment().equals(b.experiment())
                && a.machine().equals(b.machine())
                && a.contestants().size() == b.contestants().size()
                && workloads(a).equals(workloads(b));
        for (int i = 0; same && i < a.contestants().size(); i++) {
            Contestant one = a.contestants().get(i);
            Contestant other = b.contestants().get(i);
            same = one.name().equals(other.name())
                    && Objects.equals(one.course(), other.course())
                    && Objects.equals(
                            one.settings().get("load"), other.settings().get("load"));
        }
        if (!same) {
            throw new IllegalArgumentException(
                    "files joined by commas must be runs of the same experiment on one machine, not " + a.command()
                            + " and " + b.command());
        }
    }

    private static List<String> workloads(ResultFile file) {
        return file.courses().stream().map(CourseNote::workload).toList();
    }
}
