package dev.penstock.http;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.http.tls.TlsMaterial;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings of a target: configured values, defaults, and the current values of adaptive settings. Thread-safe. */
final class HttpTargetSettings {
    private final List<Setting> initial;
    /** The settings as last shown, so that a value keeps its time of change. */
    private final Map<String, Setting> shown = new ConcurrentHashMap<>();

    private final @Nullable TlsMaterial tls;

    /**
     * Creates the settings of a new target.
     *
     * @param initial all settings, as configured
     * @param tls adds its own settings; may be null
     * @param adaptive the initial values of adaptive settings
     */
    HttpTargetSettings(List<Setting> initial, @Nullable TlsMaterial tls, List<ExchangeSetting> adaptive) {
        this.initial = initial;
        this.tls = tls;
        List<Setting> _ = with(adaptive);
    }

    List<Setting> with(List<ExchangeSetting> adaptive) {
        Map<String, ExchangeSetting> byName =
                adaptive.stream().collect(Collectors.toMap(ExchangeSetting::name, Function.identity()));
        List<Setting> all = new ArrayList<>();
        initial.forEach(setting -> all.add(now(setting, byName)));
        if (tls != null) {
            all.addAll(tls.settings());
        }
        return List.copyOf(all);
    }

    private Setting now(Setting setting, Map<String, ExchangeSetting> adaptive) {
        ExchangeSetting live = adaptive.get(setting.name());
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
