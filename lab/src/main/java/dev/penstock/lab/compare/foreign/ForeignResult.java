package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Result files made of what other generators wrote. */
public final class ForeignResult {
    /** The setting of a contestant that names the generator it came from; not there when that is ours. */
    public static final String GENERATOR = "generator";

    /** Stands for what such a file does not tell. */
    public static final String NOT_TOLD = "n/a";

    private ForeignResult() {}

    /** Which other generator a result file is of; null when it is of ours. */
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
                NOT_TOLD,
                generator + ", read from " + file,
                0,
                true,
                null,
                new Machine(0, 0, NOT_TOLD, NOT_TOLD),
                null,
                List.of(),
                List.of(contestant),
                List.of());
    }
}
