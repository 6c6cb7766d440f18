package dev.penstock.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a gateway: a flow file with all defaults filled in. Immutable.
 *
 * @param flows the flows, in the order of the file; at least one
 * @param admin the admin server; null for none
 * @param broker the network listener of the embedded broker; null for none
 * @param poolTotal the maximum number of connections of all flows together; null for no common bound
 * @param memory the budget for request and answer bodies in memory, in bytes; null derives it from the heap
 * @param drain how long a shutdown waits for transactions in flight
 * @param state the file that keeps learned values across restarts
 */
public record GatewayConfig(
        List<FlowConfig> flows,
        @Nullable AdminConfig admin,
        @Nullable BrokerConfig broker,
        @Nullable Configured<Integer> poolTotal,
        @Nullable Configured<Long> memory,
        Configured<Duration> drain,
        Configured<Path> state) {
    /** The default drain time of a shutdown: {@value}. */
    static final String DEFAULT_DRAIN = "30s";

    /** The default file of learned values: {@value}, beside the flow file. */
    static final String DEFAULT_STATE = "penstock-state";

    public GatewayConfig {
        flows = List.copyOf(flows);
    }

    /** Whether any flow uses the embedded broker. */
    public boolean usesEmbeddedBroker() {
        return flows.stream()
                .anyMatch(flow ->
                        (flow.from() instanceof JmsFrom from && from.queue().isEmbedded())
                                || (flow.to() instanceof JmsTo to && to.queue().isEmbedded()));
    }
}
