package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.file.StageKeys;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** All settings of a flow, from source to target: those of its parts, and those only known from the file. */
final class FlowSettings {
    private FlowSettings() {}

    static List<Setting> of(GatewayFlow flow) {
        Set<String> seen = new HashSet<>();
        List<Setting> all = new ArrayList<>();
        Stream.of(
                        flow.source().settings(),
                        declared(flow),
                        flow.isInline()
                                ? flow.target().target().settings()
                                : flow.target().settings(),
                        List.of(flow.memory()))
                .flatMap(List::stream)
                .filter(setting -> seen.add(setting.name()))
                .map(FlowSettings::fromFile)
                .forEach(all::add);
        status(flow, all);
        return List.copyOf(all);
    }

    /** What a builder was given here was read from the file. */
    static Setting fromFile(Setting setting) {
        return setting.origin() == Origin.GIVEN ? setting.from(Origin.FILE) : setting;
    }

    private static void status(GatewayFlow flow, List<Setting> all) {
        Configured<Duration> status = flow.status();
        if (status != null) {
            String keep = Durations.format(status.value());
            all.add(StatusConfig.KEY.setting("", keep, "how long an outcome is kept", flow.since(), status));
        }
    }

    private static List<Setting> declared(GatewayFlow flow) {
        Configured<Boolean> idempotent = flow.config().idempotent();
        String reason = "whether a request may be sent twice with the effect of once";
        List<Setting> declared = new ArrayList<>();
        if (idempotent.inFile()) {
            declared.add(
                    StageKeys.IDEMPOTENT.setting("", idempotent.value().toString(), reason, flow.since(), idempotent));
        }
        Configured<String> priority = flow.config().queue().priority();
        if (priority != null) {
            declared.add(StageKeys.PRIORITY.setting(
                    "queue.",
                    priority.value(),
                    "requests with lower urgency (u=0 is highest, u=7 lowest) wait longer and are rejected first",
                    flow.since(),
                    priority));
        }
        return declared;
    }
}
