package dev.penstock.flow;

import dev.penstock.Collapse;
import dev.penstock.LiveSetting;
import dev.penstock.collapse.Collapser;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
import java.time.Duration;

/** Registers the settings of a collapse stage for display. */
final class CollapsePlan {
    /** The longest budget that can be pinned, and written in a flow file: 1 min. */
    private static final Duration LONGEST_BUDGET = Duration.ofMinutes(1);

    private CollapsePlan() {}

    static void show(Collapser<?, ?> collapser, SettingsRegistry settings) {
        settings.addGiven(
                "collapse",
                "collapse.max",
                () -> new LiveSetting.Now(
                        Integer.toString(collapser.max()),
                        "1.." + Collapse.LARGEST_BATCH,
                        "maximum number of requests in one call",
                        false),
                LiveSetting.Knob.ofCount(collapser::pinMax),
                collapser.maxOrigin());
        if (collapser.maxBytes() < Long.MAX_VALUE) {
            settings.add(
                    "collapse",
                    "collapse.max_bytes",
                    Sizes.format(collapser.maxBytes()),
                    "more than 0",
                    "maximum number of bytes in one call",
                    collapser.maxBytesOrigin());
        }
        settings.addLive(
                "collapse",
                "collapse.budget",
                () -> new LiveSetting.Now(
                        Durations.format(collapser.budget()), "0s..1m", collapser.reason(), collapser.isBudgetPinned()),
                LiveSetting.Knob.ofTime(LONGEST_BUDGET, collapser::pinBudget));
        settings.addFixed(
                "collapse",
                "collapse.prefer",
                () -> new LiveSetting.Now(collapser.prefer().label(), "auto, calls, latency", collapser.cost(), false),
                collapser.preferOrigin());
    }
}
