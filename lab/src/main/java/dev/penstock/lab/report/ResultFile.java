package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The measurements of an experiment, as stored in a JSON file. Keys are in snake case.
 *
 * @param experiment its name, for instance {@code load} or that of a race
 * @param version of Penstock
 * @param command the command line that made it
 * @param seed of random choices
 * @param valid whether the result is valid
 * @param whyInvalid one sentence; null when valid
 * @param stands the keys of the figures of an invalid result that are right all the same
 * @param machine the machine
 * @param aaNoisePercent the difference between two runs of the same contestant; null when not measured
 * @param courses the courses, in order; empty except for races
 * @param contestants the measurements
 * @param verdicts the comparisons
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ResultFile(
        String experiment,
        String version,
        String command,
        long seed,
        boolean valid,
        @Nullable String whyInvalid,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> stands,
        Machine machine,
        @Nullable Double aaNoisePercent,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CourseNote> courses,
        List<Contestant> contestants,
        List<Comparison> verdicts) {
    /** The maximum size of a file to read: 64 MB. */
    public static final long MAX_BYTES = 64L << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final ObjectWriter COMPACT = JSON.writer().without(SerializationFeature.INDENT_OUTPUT);

    public ResultFile {
        stands = stands == null ? List.of() : List.copyOf(stands);
        courses = courses == null ? List.of() : List.copyOf(courses);
        contestants = List.copyOf(contestants);
        verdicts = List.copyOf(verdicts);
    }

    /**
     * The file of one load of one target: one contestant with one block.
     *
     * @param version of Penstock
     * @param command the command line that made it
     * @param seed of random choices
     * @param name of the target
     * @param settings its settings
     * @param result the measurements
     */
    public static ResultFile ofLoad(
            String version, String command, long seed, String name, Map<String, String> settings, LoadResult result) {
        return ofLoad("load", version, command, seed, name, settings, result, result.metrics());
    }

    /**
     * As {@link #ofLoad(String, String, long, String, Map, LoadResult)}, for an experiment that measures more than
     * a load.
     *
     * @param experiment its name
     * @param metrics its metrics, including those of the load
     */
    public static ResultFile ofLoad(
            String experiment,
            String version,
            String command,
            long seed,
            String name,
            Map<String, String> settings,
            LoadResult result,
            Map<String, Double> metrics) {
        Validity validity = result.validity();
        return new ResultFile(
                experiment,
                version,
                command,
                seed,
                validity.valid(),
                validity.whyInvalid(),
                validity.stands(),
                Machine.here(),
                null,
                List.of(),
                List.of(Contestant.of(name, Contestant.Role.OURS, settings, List.of(metrics))
                        .sliced(result.slices())
                        .drawn(result.response().curve(), result.timeLine())),
                List.of());
    }

    /** A copy with the number of the last contestant's answers by status code. */
    public ResultFile answered(List<AnswerCount> answers) {
        return withLast(contestants.getLast().answered(answers));
    }

    /** A copy with the metrics of the last contestant by label. */
    public ResultFile labelled(Map<String, Map<String, Double>> labels) {
        return withLast(contestants.getLast().labelled(labels));
    }

    private ResultFile withLast(Contestant last) {
        List<Contestant> all = new ArrayList<>(contestants);
        all.set(all.size() - 1, last);
        return copy(stands, all);
    }

    /** A copy of an invalid result of which these figures are right. */
    public ResultFile standing(List<String> keys) {
        return copy(keys, contestants);
    }

    private ResultFile copy(List<String> standing, List<Contestant> all) {
        return new ResultFile(
                experiment,
                version,
                command,
                seed,
                valid,
                whyInvalid,
                standing,
                machine,
                aaNoisePercent,
                courses,
                all,
                verdicts);
    }

    /** Whether a figure of all transactions is right. */
    public boolean isRight(String key) {
        return valid || stands.contains(key);
    }

    /** The contestants of a course; a file with one course may omit its name at the contestants. */
    public List<Contestant> contestants(CourseNote course) {
        return contestants.stream()
                .filter(contestant -> course.name().equals(contestant.course())
                        || (contestant.course() == null && courses.size() == 1))
                .toList();
    }

    /** As JSON in one line. */
    public String compactJson() {
        return COMPACT.writeValueAsString(this);
    }

    /** As JSON, ending with a line feed. */
    public String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /**
     * Writes the file, replacing an existing one.
     *
     * @throws IOException when that fails; the message names the file
     */
    public void write(Path file) throws IOException {
        writeText(file, json());
    }

    /**
     * Writes any text to a file, replacing an existing one.
     *
     * @throws IOException when that fails; the message names the file
     */
    public static void writeText(Path file, String text) throws IOException {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IOException(
                    "cannot write " + file + ": use a file in an existing, writable directory ("
                            + e.getClass().getSimpleName() + ")",
                    e);
        }
    }

    /**
     * Reads a result file.
     *
     * @throws IOException when the file cannot be read or is not a result file; the message names the file
     */
    public static ResultFile read(Path file) throws IOException {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException(
                        file + " is larger than " + (MAX_BYTES >> 20) + " MB, the maximum of a result file");
            }
            return JSON.readValue(Files.readString(file, StandardCharsets.UTF_8), ResultFile.class);
        } catch (JacksonException | NullPointerException e) {
            throw new IOException(file + " is not a result file: use one written with --json", e);
        }
    }
}
