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

/** The settings of a target: those that were given, and in place of the others what was found. Safe for many threads. */
final class HttpTargetSettings {
    private final List<Setting> begun;
    /** As they were shown last, so that a value keeps its since-when until it changes. */
    private final Map<String, Setting> shown = new ConcurrentHashMap<>();

    private final @Nullable TlsMaterial tls;

    /**
     * Settings of a new target.
     *
     * @param begun as they were given
     * @param tls with settings of its own, if there is any
     * @param found what the others are at first
     */
    HttpTargetSettings(List<Setting> begun, @Nullable TlsMaterial tls, List<ExchangeSetting> found) {
        this.begun = begun;
        this.tls = tls;
        List<Setting> _ = with(found);
    }

    List<Setting> with(List<ExchangeSetting> found) {
        Map<String, ExchangeSetting> byName =
                found.stream().collect(Collectors.toMap(ExchangeSetting::name, Function.identity()));
        List<Setting> all = new ArrayList<>();
        begun.forEach(setting -> all.add(now(setting, byName)));
        if (tls != null) {
            all.addAll(tls.settings());
        }
        return List.copyOf(all);
    }

    private Setting now(Setting setting, Map<String, ExchangeSetting> found) {
        ExchangeSetting live = found.get(setting.name());
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
