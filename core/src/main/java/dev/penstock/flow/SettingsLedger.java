package dev.penstock.flow;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The settings that a builder made, in the order of the stages. Not safe for many threads until it is no longer written. */
final class SettingsLedger {
    private final Instant since;
    private final Map<String, List<Setting>> byStage = new LinkedHashMap<>();

    SettingsLedger(Instant since) {
        this.since = since;
    }

    void add(String stage, String name, Object value, String range, String reason, Origin origin) {
        add(stage, new Setting(name, value.toString(), range, reason, since, origin));
    }

    void add(String stage, Setting setting) {
        byStage.computeIfAbsent(stage, key -> new ArrayList<>()).add(setting);
    }

    Instant since() {
        return since;
    }

    List<Setting> settings() {
        return byStage.values().stream().flatMap(List::stream).toList();
    }

    /** Each stage with its settings as words. */
    Map<String, String> byStage() {
        Map<String, String> words = new LinkedHashMap<>();
        byStage.forEach((stage, settings) -> words.put(
                stage,
                String.join(", ", settings.stream().map(SettingsLedger::words).toList())));
        return words;
    }

    private static String words(Setting setting) {
        return setting.name() + " " + setting.value() + " " + setting.origin().word();
    }
}
