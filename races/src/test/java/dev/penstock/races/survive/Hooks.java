package dev.penstock.races.survive;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hooks of a flow. The hook that a schedule selects throws an {@code Error}.
 *
 * <p>Thread-safe.
 */
final class Hooks {
    private static final List<Hook> ALL = List.of(Hook.values());

    private volatile @Nullable Hook broken;

    /** Makes the hook that a step selects throw. */
    void breakOne(FaultPlan.Step step) {
        broken = ALL.get(step.draw() % ALL.size());
    }

    /** Makes no hook throw. */
    void heal() {
        broken = null;
    }

    /** Called by each hook. */
    void reached(Hook hook) {
        if (broken == hook) {
            throw new NoClassDefFoundError("injected by the schedule at " + hook);
        }
    }

    /** The places where a flow calls user code. */
    enum Hook {
        DEDUPE_KEY,
        DEDUPE_FINGERPRINT,
        STORE_CLAIM,
        STORE_END,
        STORE_RELEASE,
        STORE_FIND,
        CODEC_ENCODE,
        CODEC_DECODE,
        CODEC_KEEPS,
        RETRY_IDEMPOTENT,
        PRIORITY,
        TARGET_BEFORE,
        TARGET_AFTER
    }
}
