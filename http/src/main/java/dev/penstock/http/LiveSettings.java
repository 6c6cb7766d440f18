package dev.penstock.http;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The settings of a target: those that were given, and in place of the others what was found. Safe for many threads. */
final class LiveSettings {
    private final List<Setting> begun;
    /** As they were shown last, so that a value keeps its since-when until it changes. */
    private final Map<String, Setting> shown = new ConcurrentHashMap<>();

    LiveSettings(List<Setting> begun) {
        this.begun = begun;
    }

    List<Setting> with(List<LiveSetting> found) {
        Map<String, LiveSetting> byName =
                found.stream().collect(Collectors.toMap(LiveSetting::name, Function.identity()));
        return begun.stream().map(setting -> now(setting, byName)).toList();
    }

    private Setting now(Setting setting, Map<String, LiveSetting> found) {
        LiveSetting live = found.get(setting.name());
        if (live == null) {
            return setting;
        }
        return shown.compute(setting.name(), (name, before) -> {
            boolean same = before != null && before.value().equals(live.value());
            Instant since = before == null ? setting.since() : same ? before.since() : Instant.now();
            Origin origin =
                    before == null || (same && before.origin() == Origin.DEFAULT) ? Origin.DEFAULT : Origin.LEARNED;
            return new Setting(name, live.value(), setting.range(), live.reason(), since, origin);
        });
    }
}
