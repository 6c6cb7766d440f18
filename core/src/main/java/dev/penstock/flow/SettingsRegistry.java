package dev.penstock.flow;

import dev.penstock.Collapse;
import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Setting.Pin;
import dev.penstock.Settle;
import dev.penstock.collapse.Collapser;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The settings of a flow, in the order of its stages. Filled by one thread, then read-only and thread-safe. */
final class SettingsRegistry {
    /** The longest budget of a batch that can be pinned, and written in a flow file: 1 min. */
    private static final Duration LONGEST_BUDGET = Duration.ofMinutes(1);

    private final InstantSource wallClock;
    private final Instant since;
    private final Map<String, List<Supplier<Setting>>> byStage = new LinkedHashMap<>();
    private final Map<String, LiveSetting> pinnable = new LinkedHashMap<>();

    SettingsRegistry(InstantSource wallClock) {
        this.wallClock = wallClock;
        this.since = wallClock.instant();
    }

    /** Adds the settings of all stages up to the breaker, outermost first. */
    <Q, R> void addStages(FlowBuilder<Q> given, @Nullable Settle<Q, R> settle, @Nullable Collapser<Q, R> collapser) {
        if (given.deadline != null) {
            String value = Durations.format(given.deadline);
            add("deadline", "deadline", value, "more than 0", given.deadlineReason, given.deadlineOrigin);
        }
        if (given.dedupe != null) {
            addAll("dedupe", given.dedupe.settings(since));
        }
        if (given.retry != null) {
            addAll("retry", given.retry.settings(since));
        }
        if (settle != null) {
            addAll("settle", settle.settings(since));
        }
        if (collapser != null) {
            addCollapse(collapser);
        }
        if (given.breaker != null) {
            addAll("breaker", given.breaker.settings(since));
        }
    }

    private void addCollapse(Collapser<?, ?> collapser) {
        addGiven(
                "collapse",
                "collapse.max",
                () -> new LiveSetting.Now(
                        Integer.toString(collapser.max()),
                        "1.." + Collapse.LARGEST_BATCH,
                        "maximum number of requests in one call; " + collapser.cost(),
                        false),
                LiveSetting.Knob.ofCount(collapser::pinMax),
                collapser.maxOrigin());
        if (collapser.maxBytes() < Long.MAX_VALUE) {
            add(
                    "collapse",
                    "collapse.max_bytes",
                    Sizes.format(collapser.maxBytes()),
                    "more than 0",
                    "maximum number of bytes in one call",
                    collapser.maxBytesOrigin());
        }
        addLive(
                "collapse",
                "collapse.budget",
                () -> new LiveSetting.Now(
                        Durations.format(collapser.budget()), "0s..1m", collapser.reason(), collapser.isBudgetPinned()),
                LiveSetting.Knob.ofTime(LONGEST_BUDGET, collapser::pinBudget));
    }

    private void addAll(String stage, List<Setting> settings) {
        settings.forEach(setting -> add(stage, () -> setting));
    }

    void add(String stage, String name, Object value, String range, String reason, Origin origin) {
        addAll(stage, List.of(new Setting(name, value.toString(), range, reason, since, origin)));
    }

    /** Adds an adaptive setting. */
    void addLive(String stage, String name, Supplier<LiveSetting.Now> now, LiveSetting.Knob knob) {
        addLive(stage, new LiveSetting(name, now, knob, wallClock, Origin.DEFAULT));
    }

    /** Adds an adaptive setting that other flows may share. */
    void addLive(String stage, LiveSetting live) {
        pinnable.put(live.name(), live);
        add(stage, live::setting);
    }

    /** Adds a setting with a configured value that can be pinned. */
    void addGiven(String stage, String name, Supplier<LiveSetting.Now> now, LiveSetting.Knob knob, Origin origin) {
        LiveSetting live = new LiveSetting(name, now, knob, wallClock, Origin.DEFAULT);
        pinnable.put(name, live);
        add(stage, () -> {
            Setting is = live.setting();
            return is.pin() == Pin.ON ? is : is.from(origin);
        });
    }

    /** The settings that can be pinned, by name. */
    Map<String, LiveSetting> pinnable() {
        return pinnable;
    }

    private void add(String stage, Supplier<Setting> setting) {
        byStage.computeIfAbsent(stage, key -> new ArrayList<>()).add(setting);
    }

    InstantSource wallClock() {
        return wallClock;
    }

    List<Setting> settings() {
        return byStage.values().stream()
                .flatMap(List::stream)
                .map(Supplier::get)
                .toList();
    }

    /** The stages with their formatted settings. */
    Map<String, String> byStage() {
        Map<String, String> texts = new LinkedHashMap<>();
        byStage.forEach((stage, settings) -> texts.put(
                stage,
                String.join(
                        ", ",
                        settings.stream().map(setting -> format(setting.get())).toList())));
        return texts;
    }

    private static String format(Setting setting) {
        return setting.name() + " " + setting.value() + " " + setting.origin().label();
    }
}
