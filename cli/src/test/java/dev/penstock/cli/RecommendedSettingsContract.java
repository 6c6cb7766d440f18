package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Probes real peers, then loads each with what was recommended: no call may fail, and no number of users from a sweep
 * may do more than a tenth better without an error.
 */
@Tag("full")
@Tag("full-only")
@Timeout(600)
abstract class RecommendedSettingsContract {
    static final Contestant.Spread NONE = new Contestant.Spread(0, 0, 0);

    /** Other numbers of users, as multiples of the recommended one. */
    private static final double[] SWEEP = {0.8, 1.25};

    @TempDir
    Path folder;

    /** Probes, loads with the recommended number of users, compares it with others, and returns it. */
    int worksAsRecommended(String target, String... options) throws Exception {
        int users = users(probed(target, options));
        Map<String, Contestant.Spread> recommended = loaded(users, target, options);
        assertThat(recommended).extractingByKey("errors").isEqualTo(NONE);
        for (double share : SWEEP) {
            int others = (int) Math.max(1, Math.round(share * users));
            Map<String, Contestant.Spread> other = loaded(others, target, options);
            if (NONE.equals(other.get("errors"))) {
                assertThat(tps(recommended))
                        .as("%d users compared with %d", users, others)
                        .isGreaterThanOrEqualTo(0.9 * tps(other));
            }
        }
        return users;
    }

    ProbeNote probed(String target, String... options) throws Exception {
        Path json = folder.resolve("probe.json");
        Ran probe = Ran.run(
                new ProbeCommand(), words(options, target, "--for", "15s", "--quiet", "--json", json.toString()));
        System.out.println(probe.out());
        assertThat(probe.err()).isEmpty();
        return Objects.requireNonNull(ResultFile.read(json).courses().getFirst().probe());
    }

    /** The recommended limit, or its upper end. */
    static int users(ProbeNote note) {
        int users = Integer.parseInt(setting(note, "limit").replaceAll(".*max: (\\d+) }", "$1"));
        assertThat(setting(note, "pool.max")).isEqualTo(String.valueOf(users));
        return users;
    }

    static String setting(ProbeNote note, String name) {
        return note.settings().stream()
                .filter(setting -> setting.name().equals(name))
                .map(ProbeNote.Setting::value)
                .findFirst()
                .orElseThrow();
    }

    Map<String, Contestant.Spread> loaded(int users, String target, String... options) throws Exception {
        Path json = folder.resolve("load.json");
        Ran load = Ran.run(
                new LoadCommand(),
                words(
                        options,
                        target,
                        "--users",
                        String.valueOf(users),
                        "--for",
                        "4s",
                        "--quiet",
                        "--json",
                        json.toString()));
        Map<String, Contestant.Spread> metrics =
                ResultFile.read(json).contestants().getFirst().metrics();
        System.out.println(users + " users: " + metrics.get("tps") + ", errors " + metrics.get("errors"));
        assertThat(metrics).as(load.out()).containsKeys("tps", "errors");
        return metrics;
    }

    private static double tps(Map<String, Contestant.Spread> metrics) {
        return Objects.requireNonNull(metrics.get("tps")).median();
    }

    private static String[] words(String[] options, String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of(options));
        return words.toArray(String[]::new);
    }
}
