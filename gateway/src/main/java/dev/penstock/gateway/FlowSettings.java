package dev.penstock.gateway;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Sizes;
import dev.penstock.Source;
import dev.penstock.gateway.config.CollapseConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig.DedupeStore;
import dev.penstock.gateway.config.HttpFrom;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.config.UdpFrom;
import dev.penstock.http.source.HttpSource;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.udp.UdpSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All settings of a flow, from source to target: those of its parts, and those only known from the file. */
final class FlowSettings {
    private FlowSettings() {}

    static List<Setting> of(GatewayFlow flow) {
        List<Setting> all = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        if (flow.built().config().from() instanceof HttpFrom from) {
            http(flow, from, all);
        }
        if (flow.built().config().from() instanceof UdpFrom from) {
            DatagramSourceSetup.settings(flow, from, all);
        }
        Stream.of(
                        ofSource(flow.source()),
                        declared(flow),
                        flow.isInline()
                                ? flow.built().target().settings()
                                : flow.built().flow().settings(),
                        flow.built().moreSettings(),
                        List.of(flow.memory()))
                .flatMap(List::stream)
                .filter(setting -> !isOfSharedPool(setting, flow.built()) && seen.add(setting.name()))
                .map(FlowSettings::fromFile)
                .forEach(all::add);
        status(flow, all);
        return List.copyOf(all);
    }

    /** What a builder was given here was read from the file. */
    static Setting fromFile(Setting setting) {
        return setting.origin() == Origin.GIVEN ? setting.from(Origin.FILE) : setting;
    }

    private static void http(GatewayFlow flow, HttpFrom from, List<Setting> all) {
        all.add(own(flow, "source.port", flow.port(from) + "", "0..65535", "the listen port", from.port()));
        all.add(own(
                flow, "source.path", from.path().value(), "a path", "this path and all paths below it", from.path()));
        all.add(own(
                flow,
                "source.max_body",
                Sizes.format(from.maxBody().value()),
                "1B..1GB",
                "a larger request body is rejected with 413",
                from.maxBody()));
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

    private static List<Setting> ofSource(Source source) {
        return switch (source) {
            case HttpSource http -> http.settings();
            case JmsSource jms -> jms.settings();
            case UdpSource udp -> udp.settings();
            default -> List.of();
        };
    }

    private static boolean isOfSharedPool(Setting setting, BuiltFlow built) {
        return setting.name().startsWith("collapse.pool.")
                && built instanceof HttpFlow http
                && CollapseSetup.sharesConnections(http.config(), http.to());
    }

    private static List<Setting> declared(GatewayFlow flow) {
        Configured<Boolean> idempotent = flow.built().config().idempotent();
        String reason = "whether a request may be sent twice with the effect of once";
        List<Setting> declared = new ArrayList<>();
        if (idempotent.inFile()) {
            declared.add(own(flow, "idempotent", idempotent.value().toString(), "true, false", reason, idempotent));
        }
        Configured<String> priority = flow.built().config().queue().priority();
        if (priority != null) {
            declared.add(own(
                    flow,
                    "queue.priority",
                    priority.value(),
                    "a header",
                    "requests with lower urgency (u=0 is highest, u=7 lowest) wait longer and are rejected first",
                    priority));
        }
        if (flow.built().config().collapse() instanceof CollapseConfig collapse) {
            member(flow, "key", "that matches answers to requests", collapse.key(), declared);
            member(flow, "status", "with the status of an answer", collapse.status(), declared);
        }
        if (flow.built().config().collapse() instanceof CollapseConfig collapse
                && collapse.same().inFile()) {
            String same = "whether equal requests in a batch are sent once";
            declared.add(own(
                    flow, "collapse.same", collapse.same().value().toString(), "true, false", same, collapse.same()));
        }
        return declared;
    }

    private static void member(
            GatewayFlow flow, String key, String what, @Nullable Configured<String> given, List<Setting> declared) {
        if (given != null) {
            declared.add(own(flow, "collapse." + key, given.value(), "a member", "the member " + what, given));
        }
    }

    static Setting own(GatewayFlow flow, String name, String value, String range, String reason, Configured<?> chosen) {
        return new Setting(name, value, range, reason, flow.since(), chosen.origin());
    }
}
