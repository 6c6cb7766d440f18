package dev.penstock.limit.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a tuner has to reach in every scenario. */
final class Gate {
    /** Where the way to a target gets longer during a pair, a level far above seems to pay: 0.944 in one run, 0.98 without. */
    static final double STEADY = 0.94;

    static final double WHOLE = 0.85;

    private Gate() {}

    /** What a score lacks; empty when it passes. */
    static List<String> faults(Score score) {
        List<String> faults = new ArrayList<>();
        if (score.whole() < WHOLE) {
            faults.add(String.format(Locale.ROOT, "%s: %.3f of the oracle over all", score.scenario(), score.whole()));
        }
        for (Score.Phase phase : score.phases()) {
            if (phase.steady() < STEADY) {
                faults.add(String.format(
                        Locale.ROOT,
                        "%s: %.3f of the oracle while the best is %d",
                        score.scenario(),
                        phase.steady(),
                        phase.best()));
            }
            if (phase.adaptedSeconds() > phase.slowestSeconds()) {
                faults.add(String.format(
                        Locale.ROOT,
                        "%s: %.1f s to adapt to a best of %d",
                        score.scenario(),
                        phase.adaptedSeconds(),
                        phase.best()));
            }
        }
        return faults;
    }
}
