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
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an experiment measured, as it is kept in a JSON file. Keys are in snake case.
 *
 * @param experiment its name, for instance {@code load} or that of a race
 * @param version of Penstock
 * @param command that made it
 * @param seed where its chance began
 * @param valid whether it may be believed
 * @param whyInvalid one sentence; null when valid
 * @param machine what it was measured on
 * @param aaNoisePercent how much two runs of the same differ here; null when that was not measured
 * @param courses what was run, in order; empty for anything but a race
 * @param contestants what was measured
 * @param verdicts how they compare
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ResultFile(
        String experiment,
        String version,
        String command,
        long seed,
        boolean valid,
        @Nullable String whyInvalid,
        Machine machine,
        @Nullable Double aaNoisePercent,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CourseNote> courses,
        List<Contestant> contestants,
        List<Comparison> verdicts) {
    /** Bound on a file that is read: 64 MB. */
    public static final long MOST_BYTES = 64L << 20;

    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Copies the lists. */
    public ResultFile {
        courses = courses == null ? List.of() : List.copyOf(courses);
        contestants = List.copyOf(contestants);
        verdicts = List.copyOf(verdicts);
    }

    /**
     * The file of one load of one target: one contestant with one block.
     *
     * @param version of Penstock
     * @param command that made it
     * @param seed where its chance began
     * @param name of what was loaded
     * @param settings what it ran with
     * @param result what was measured
     */
    public static ResultFile ofLoad(
            String version, String command, long seed, String name, Map<String, String> settings, LoadResult result) {
        return ofLoad("load", version, command, seed, name, settings, result, result.metrics());
    }

    /**
     * As {@link #ofLoad(String, String, long, String, Map, LoadResult)}, of an experiment that measures more than a load does.
     *
     * @param experiment its name
     * @param metrics its numbers, those of the load among them
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
                Machine.here(),
                null,
                List.of(),
                List.of(Contestant.of(name, Contestant.Role.OURS, settings, List.of(metrics))
                        .sliced(result.slices())
                        .drawn(result.response().curve(), result.timeLine())),
                List.of());
    }

    /** The same, with how many answers of each status code the last contestant got. */
    public ResultFile answered(List<AnswerCount> answers) {
        List<Contestant> all = new ArrayList<>(contestants);
        all.add(all.removeLast().answered(answers));
        return new ResultFile(
                experiment, version, command, seed, valid, whyInvalid, machine, aaNoisePercent, courses, all, verdicts);
    }

    /** As JSON, with a line feed at its end. */
    public String json() {
        return JSON.writeValueAsString(this) + "\n";
    }

    /**
     * Writes it to a file, in place of what the file held.
     *
     * @throws IOException when it cannot be written, in one line that says which file
     */
    public void write(Path file) throws IOException {
        writeText(file, json());
    }

    /**
     * Writes any result to a file, in place of what the file held.
     *
     * @throws IOException when it cannot be written, in one line that says which file
     */
    public static void writeText(Path file, String text) throws IOException {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IOException(
                    "cannot write " + file + ": choose a file in a folder that exists and may be written" + " to ("
                            + e.getClass().getSimpleName() + ")",
                    e);
        }
    }

    /**
     * Reads one.
     *
     * @throws IOException when the file cannot be read or is no result file, in one line that says which file
     */
    public static ResultFile read(Path file) throws IOException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(file + " is beyond " + (MOST_BYTES >> 20) + " MB: give a result file");
            }
            return JSON.readValue(Files.readString(file, StandardCharsets.UTF_8), ResultFile.class);
        } catch (JacksonException | NullPointerException e) {
            throw new IOException(file + " is no result file: give one that was written with --json", e);
        }
    }
}
