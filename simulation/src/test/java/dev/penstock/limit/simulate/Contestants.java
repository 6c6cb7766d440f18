package dev.penstock.limit.simulate;

import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.LimitController.Outcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Who is simulated, each made anew for a scenario. */
final class Contestants {
    private static final int MOST = 10_000;

    private Contestants() {}

    /** Ours, from several starting values: few, the default, many. */
    static Map<String, Function<Scenario, Tuner>> ours() {
        Map<String, Function<Scenario, Tuner>> ours = new LinkedHashMap<>();
        ours.put("adaptive-from-20", scenario -> ours(20, scenario));
        ours.put("adaptive", scenario -> ours(AdaptiveLimit.INITIAL, scenario));
        ours.put("adaptive-from-100", scenario -> ours(100, scenario));
        return ours;
    }

    static Map<String, Function<Scenario, Tuner>> others() {
        Map<String, Function<Scenario, Tuner>> others = new LinkedHashMap<>();
        others.put("gradient2", scenario -> new Gradient2());
        others.put("vegas", scenario -> new Vegas());
        others.put("always-50", scenario -> new Tuner.Constant(50));
        others.put("always-max", scenario -> new Tuner.Constant(1_000));
        others.put("always-min", scenario -> new Tuner.Constant(1));
        return others;
    }

    /** Ours with one thing broken each, so that the gate is seen to close. */
    static Map<String, Function<Scenario, Tuner>> mutants() {
        Map<String, Function<Scenario, Tuner>> mutants = new LinkedHashMap<>();
        mutants.put("never-learns", scenario -> mutant(scenario, outcome -> Outcome.IGNORED));
        mutants.put(
                "blind-to-drops",
                scenario -> mutant(scenario, outcome -> outcome == Outcome.DROPPED ? Outcome.IGNORED : outcome));
        mutants.put(
                "counts-drops-as-answers",
                scenario -> mutant(scenario, outcome -> outcome == Outcome.DROPPED ? Outcome.SUCCESS : outcome));
        mutants.put("no-ceiling", scenario -> new Tuner.Ours(new AdaptiveLimit(200, 1, MOST, Duration.ZERO)));
        mutants.put("never-above-30", scenario -> new Tuner.Ours(new AdaptiveLimit(20, 1, 30, deadline(scenario))));
        mutants.put("never-below-60", scenario -> new Tuner.Ours(new AdaptiveLimit(100, 60, MOST, deadline(scenario))));
        return mutants;
    }

    static Tuner ours(int initial, Scenario scenario) {
        return new Tuner.Ours(new AdaptiveLimit(initial, 1, MOST, deadline(scenario)));
    }

    /** Ours after a restart. */
    static Tuner restored(int learned, Scenario scenario) {
        return new Tuner.Ours(AdaptiveLimit.restored(learned, 1, MOST, deadline(scenario)));
    }

    private static Tuner mutant(Scenario scenario, UnaryOperator<Outcome> lie) {
        return new Tuner.Ours(new AdaptiveLimit(AdaptiveLimit.INITIAL, 1, MOST, deadline(scenario)), lie);
    }

    private static Duration deadline(Scenario scenario) {
        return Duration.ofNanos(scenario.deadlineNanos());
    }
}
