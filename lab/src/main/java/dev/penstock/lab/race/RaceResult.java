package dev.penstock.lab.race;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a race.
 *
 * @param race its name
 * @param seed of random choices
 * @param whyInvalid one sentence when it is not valid; null when it is
 * @param aaNoisePercent the difference between two runs of ours in the first course's main metric; null when
 *     not measured
 * @param courses the courses, in order
 * @param contestants of all courses
 * @param verdicts of all courses
 */
public record RaceResult(
        String race,
        long seed,
        @Nullable String whyInvalid,
        @Nullable Double aaNoisePercent,
        List<CourseNote> courses,
        List<Contestant> contestants,
        List<Comparison> verdicts) {
    static RaceResult of(Race race, long seed, List<CourseResults> tallies, @Nullable String whyStopped) {
        String whyInvalid = whyStopped != null
                ? whyStopped
                : tallies.stream()
                        .map(CourseResults::whyInvalid)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
        List<CourseNote> courses = tallies.stream().map(CourseResults::note).toList();
        return new RaceResult(
                race.name(),
                seed,
                whyInvalid,
                courses.getFirst()
                        .aaNoisePercent()
                        .get(courses.getFirst().judged().getFirst()),
                courses,
                tallies.stream().flatMap(tally -> tally.contestants().stream()).toList(),
                tallies.stream().flatMap(tally -> tally.verdicts().stream()).toList());
    }

    /**
     * Creates the result file.
     *
     * @param version of Penstock
     * @param command the command line that made it
     */
    public ResultFile file(String version, String command) {
        return new ResultFile(
                race,
                version,
                command,
                seed,
                whyInvalid == null,
                whyInvalid,
                List.of(),
                Machine.here(),
                aaNoisePercent,
                courses,
                contestants,
                verdicts);
    }
}
