package dev.penstock.gateway;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.HttpTo;
import dev.penstock.gateway.config.JdbcTo;
import dev.penstock.gateway.config.JmsTo;
import dev.penstock.gateway.config.ReplaceTo;
import dev.penstock.gateway.config.UdpTo;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.state.StateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A flow and its target, built from the file, not yet attached to a source. */
sealed interface BuiltFlow permits HttpFlow, JdbcFlow, JmsFlow, BodyFlow {
    /**
     * Builds the flows of a gateway, which share the bound on all HTTP connections, if there is one.
     *
     * @param stores the idempotency stores for dedupe and transaction status
     * @param brokers the brokers of queues
     * @param learned the state file with learned values
     */
    static List<BuiltFlow> all(GatewayConfig config, IdempotencyStores stores, Brokers brokers, StateFile learned) {
        return all(config, stores, brokers, learned, true);
    }

    /** As {@link #all}, but for a plan: opens nothing. */
    static List<BuiltFlow> planned(GatewayConfig config, IdempotencyStores stores, StateFile learned) {
        return all(config, stores, Brokers.planned(), learned, false);
    }

    private static List<BuiltFlow> all(
            GatewayConfig config, IdempotencyStores stores, Brokers brokers, StateFile learned, boolean opens) {
        Configured<Integer> poolTotal = config.poolTotal();
        ConnectionTotal total = poolTotal == null ? null : ConnectionTotal.of(poolTotal.value());
        SharedLimits limits = new SharedLimits(config.flows(), learned);
        List<BuiltFlow> built = new ArrayList<>();
        try {
            for (FlowConfig flow : config.flows()) {
                FlowBuilder<Object> stages = FlowSetup.stages(flow).state(learned);
                limits.apply(flow, stages);
                built.add(
                        switch (flow.to()) {
                            case HttpTo to -> HttpFlow.of(flow, stages, to, total, stores.of(flow));
                            case JdbcTo to ->
                                JdbcFlow.of(
                                        flow,
                                        stages,
                                        to,
                                        opens
                                                ? JdbcSetup.target(
                                                        flow, to, config.state().value(), learned)
                                                : JdbcSetup.plan(to),
                                        stores.of(flow));
                            case JmsTo to ->
                                JmsFlow.of(
                                        flow,
                                        stages,
                                        to,
                                        brokers,
                                        stores.of(flow),
                                        StatusSetup.store(flow, config, stores));
                            case UdpTo to -> BodyFlow.of(flow, stages, DatagramTarget.of(flow, to), stores.of(flow));
                            case ReplaceTo to -> BodyFlow.of(flow, stages, ReplaceTarget.of(to), stores.of(flow));
                        });
            }
        } catch (RuntimeException failed) {
            built.forEach(BuiltFlow::close);
            throw failed;
        }
        return List.copyOf(built);
    }

    FlowConfig config();

    Flow<?, ?> flow();

    Target<?, ?> target();

    /** The service that the source calls. */
    Service<HttpCall, HttpAnswer> service();

    Map<String, Long> connections();

    /** The time of exchanges with the target, by part. */
    Map<String, Long> times();

    /** Settings in addition to those of the flow. */
    List<Setting> moreSettings();

    /** Closes the connections. Transactions in flight end without further status queries. */
    void close();
}
