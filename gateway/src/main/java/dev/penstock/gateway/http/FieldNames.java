package dev.penstock.gateway.http;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.SettleConfig;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The names of the header fields on which a flow relies, or a flow that its requests go on to. */
final class FieldNames {
    private FieldNames() {}

    /** The headers that identify a request for retry, status queries and dedupe. */
    static List<String> keys(FlowConfig flow) {
        RetryConfig retry = flow.retry();
        SettleConfig settle = flow.settle();
        DedupeConfig dedupe = flow.dedupe();
        return Stream.of(
                        one(retry == null ? null : retry.key()),
                        settle == null ? List.<String>of() : settle.references(),
                        one(dedupe == null ? null : dedupe.key()))
                .flatMap(List::stream)
                .toList();
    }

    static List<String> keys(FlowConfig flow, GatewayConfig config) {
        return ofAll(flow, config, FieldNames::keys);
    }

    /** The headers that identify clients or batches, or tell how urgent a request is. */
    static List<String> others(FlowConfig flow, GatewayConfig config) {
        return ofAll(flow, config, FieldNames::others);
    }

    private static List<String> others(FlowConfig flow) {
        DedupeConfig dedupe = flow.dedupe();
        Configured<List<String>> clients = dedupe == null ? null : dedupe.per();
        Configured<List<String>> batches = flow.collapse() instanceof HttpCollapse collapse ? collapse.per() : null;
        return Stream.of(
                        clients == null ? List.<String>of() : clients.value(),
                        batches == null ? List.<String>of() : batches.value(),
                        name(flow.priorityHeader()),
                        name(flow.from().callerHeader()))
                .flatMap(List::stream)
                .toList();
    }

    private static List<String> name(@Nullable String header) {
        return header == null ? List.of() : List.of(header);
    }

    private static List<String> one(@Nullable Configured<String> header) {
        return header == null ? List.of() : List.of(header.value());
    }

    private static List<String> ofAll(
            FlowConfig flow, GatewayConfig config, Function<FlowConfig, List<String>> namesOf) {
        return config.reached(flow).stream()
                .flatMap(each -> namesOf.apply(each).stream())
                .distinct()
                .toList();
    }
}
