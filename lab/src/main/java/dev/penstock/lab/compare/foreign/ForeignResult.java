package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Result files made from the output of other load generators. */
public final class ForeignResult {
    /** The setting of a contestant that names its generator; absent for Penstock. */
    public static final String GENERATOR = "generator";

    /** The setting that names what the times cover, when failures could not be left out. */
    public static final String COVERS = "times_of";

    /** The setting that says which rows are not samples. */
    public static final String BROKEN = "broken";

    private ForeignResult() {}

    /** The other generator of a result file; null for Penstock. */
    public static @Nullable String generator(ResultFile file) {
        return file.contestants().stream()
                .map(contestant -> contestant.settings().get(GENERATOR))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    static ResultFile load(String generator, Path file, Contestant contestant) {
        return new ResultFile(
                "load",
                Figures.NOT_KNOWN,
                generator + ", read from " + file,
                0,
                true,
                null,
                List.of(),
                new Machine(0, 0, Figures.NOT_KNOWN, Figures.NOT_KNOWN),
                null,
                List.of(),
                List.of(contestant),
                List.of());
    }
}
