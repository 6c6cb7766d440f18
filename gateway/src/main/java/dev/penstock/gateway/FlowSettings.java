package dev.penstock.gateway;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig.DedupeStore;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
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
        StatusConfig.Stored status = flow.status();
        if (status != null) {
            DedupeStore store = status.store().value();
            String where = store instanceof DedupeStore.Database database ? database.where() : "beside the state";
            String keep = Durations.format(status.keep().value());
            String maxAnswer = Sizes.format(status.maxAnswer().value());
            all.add(own(
                    flow,
                    "status.store",
                    where,
                    "a store",
                    "where outcomes of transactions are stored",
                    status.store()));
            all.add(own(flow, "status.keep", keep, "1 s..366 d", "how long an outcome is kept", status.keep()));
            all.add(own(
                    flow,
                    "status.max_answer",
                    maxAnswer,
                    "0..16 MB",
                    "the body of a longer reply is not stored",
                    status.maxAnswer()));
        }
    }

    private static List<Setting> declared(GatewayFlow flow) {
        Configured<Boolean> idempotent = flow.config().idempotent();
        String reason = "whether a request may be sent twice with the effect of once";
        List<Setting> declared = new ArrayList<>();
        if (idempotent.inFile()) {
            declared.add(own(flow, "idempotent", idempotent.value().toString(), "true, false", reason, idempotent));
        }
        Configured<String> priority = flow.config().queue().priority();
        if (priority != null) {
            declared.add(own(
                    flow,
                    "queue.priority",
                    priority.value(),
                    "a header",
                    "requests with lower urgency (u=0 is highest, u=7 lowest) wait longer and are rejected first",
                    priority));
        }
        return declared;
    }

    private static Setting own(
            GatewayFlow flow, String name, String value, String range, String reason, Configured<?> chosen) {
        return new Setting(name, value, range, reason, flow.since(), chosen.origin());
    }
}
