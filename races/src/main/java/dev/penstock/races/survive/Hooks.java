package dev.penstock.races.survive;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The user's code of a flow, which throws an Error at the hooks that a schedule names.
 *
 * <p>Safe for many threads.
 */
final class Hooks {
    private static final List<Hook> ALL = List.of(Hook.values());

    private volatile @Nullable Hook broken;

    /** From now on the hook that a step draws throws. */
    void breakOne(FaultPlan.Step step) {
        broken = ALL.get(step.draw() % ALL.size());
    }

    /** From now on none throws. */
    void heal() {
        broken = null;
    }

    /** To be called in a hook. */
    void reached(Hook hook) {
        if (broken == hook) {
            throw new NoClassDefFoundError("injected by the schedule at " + hook);
        }
    }
}
