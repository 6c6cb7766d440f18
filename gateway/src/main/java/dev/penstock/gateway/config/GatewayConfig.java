package dev.penstock.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a flow file says, with every default filled in. Immutable.
 *
 * @param flows the flows, in the order of the file; at least one
 * @param admin where the admin pages are; null when the file asks for none
 * @param broker where other processes reach the broker of this one; null for nowhere
 * @param poolTotal how many connections all flows may have together; null for as many as each may have
 * @param memory how many bytes of bodies and answers may be in memory; null for what fits the heap
 * @param drain how long a shutdown waits for what is in flight
 * @param state where learned values outlive a restart; those of the ways to databases
 */
public record GatewayConfig(
        List<FlowConfig> flows,
        @Nullable AdminConfig admin,
        @Nullable BrokerConfig broker,
        @Nullable Configured<Integer> poolTotal,
        @Nullable Configured<Long> memory,
        Configured<Duration> drain,
        Configured<Path> state) {
    /** How long a shutdown waits while the file does not say: {@value}. */
    static final String DEFAULT_DRAIN = "30s";

    /** Where learned values are kept while the file does not say: {@value}, beside the flow file. */
    static final String DEFAULT_STATE = "penstock-state";

    public GatewayConfig {
        flows = List.copyOf(flows);
    }

    /** Whether any flow uses the broker of this process. */
    public boolean hasOwnBroker() {
        return flows.stream()
                .anyMatch(flow ->
                        (flow.from() instanceof JmsFrom from && from.queue().isEmbedded())
                                || (flow.to() instanceof JmsTo to && to.queue().isEmbedded()));
    }
}
