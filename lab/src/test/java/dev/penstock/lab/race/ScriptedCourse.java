package dev.penstock.lab.race;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A course whose blocks take no time: each contestant's figures are written down beforehand. */
final class ScriptedCourse implements Course {
    /** What a contestant does in a round. */
    interface Script {
        BlockResult run(int round) throws Exception;
    }

    /** Each block that ran, for instance {@code 1 fast}. */
    final List<String> ran = new ArrayList<>();

    final List<Long> seeds = new ArrayList<>();
    int opened;
    int closed;
    boolean rehearses;
    Duration stagger = Duration.ZERO;

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Script> scripts = new LinkedHashMap<>();

    ScriptedCourse with(String name, Role role, Script script) {
        entries.add(Entry.inside(name, role, Map.of("says", name)));
        scripts.put(name, script);
        return this;
    }

    /** Its time in ms; some noise comes with each round, the same for all. */
    ScriptedCourse taking(String name, Role role, double ms) {
        return with(name, role, round -> figures(ms * (1 + round % 3 / 100.0)));
    }

    static BlockResult figures(double ms) {
        return new BlockResult(
                Map.of("p50_ms", ms, "errors", 0.0),
                Map.of("50.0", ms, "99.0", 2 * ms),
                new TimeLine(0, List.of(1.0), Map.of("p50_ms", List.of(ms)), List.of(), null),
                null);
    }

    Race race() {
        ScriptedCourse course = this;
        return new Race() {
            @Override
            public String name() {
                return "scripted";
            }

            @Override
            public String question() {
                return "who is written down as the fastest?";
            }

            @Override
            public List<Course> courses() {
                return List.of(course);
            }
        };
    }

    @Override
    public String name() {
        return "script";
    }

    @Override
    public String workload(Effort effort) {
        return "nothing at all, " + effort;
    }

    @Override
    public List<Entry> entries() {
        return entries;
    }

    @Override
    public List<String> judged() {
        return List.of("p50_ms", "errors");
    }

    @Override
    public List<String> shown() {
        return List.of("p50_ms", "errors", "seen");
    }

    @Override
    public Duration blockTime(Effort effort) {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration stagger() {
        return stagger;
    }

    @Override
    public boolean rehearses() {
        return rehearses;
    }

    /** How much longer it took than whoever is called bare. */
    @Override
    public Map<String, Map<String, Double>> related(Map<String, Map<String, Double>> round) {
        Double bare = round.getOrDefault("bare", Map.of()).get("p50_ms");
        Map<String, Map<String, Double>> related = new LinkedHashMap<>();
        if (bare != null) {
            round.forEach((name, metrics) ->
                    related.put(name, Map.of("added_ms", Objects.requireNonNull(metrics.get("p50_ms")) - bare)));
        }
        return related;
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        return List.of(new Goal("contestants", String.valueOf(contestants.size()), true));
    }

    @Override
    public Scene open(Block block) {
        opened++;
        return new Scene() {
            private boolean begun;

            @Override
            public Map<String, String> parameters() {
                return Map.of("url", "nowhere");
            }

            @Override
            public void begin() {
                begun = true;
            }

            @Override
            public Map<String, Double> metrics() {
                return Map.of("seen", begun ? 1.0 : 0.0);
            }

            @Override
            public List<TimeLine.Fault> faults() {
                return List.of(new TimeLine.Fault("fin", 0.25, 0.5));
            }

            @Override
            public void close() {
                synchronized (ScriptedCourse.this) {
                    closed++;
                }
            }
        };
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        ran.add(block.round() + " " + block.entry());
        seeds.add(block.seed());
        cue.ready();
        Script script = scripts.get(block.entry());
        if (script == null) {
            throw new IllegalStateException("nothing is written down for " + block.entry());
        }
        return script.run(block.round());
    }
}
