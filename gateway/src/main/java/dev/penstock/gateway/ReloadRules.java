package dev.penstock.gateway;

import dev.penstock.gateway.config.FileKeys;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which changes of a flow file take effect without a restart. */
final class ReloadRules {
    private static final String RESTART = "; restart to apply it: this change cannot be made while the gateway runs";

    private ReloadRules() {}

    /**
     * Checks a change.
     *
     * @param unchanged the names of the flows that stay as they are
     * @throws IOException it needs a restart; the message says why
     */
    static void check(List<FileKeys.Change> changes, GatewayConfig before, GatewayConfig now, Set<String> unchanged)
            throws IOException {
        for (FileKeys.Change change : changes) {
            if (change.needsRestart()) {
                throw new IOException(change.sentence() + RESTART);
            }
        }
        for (FlowConfig flow : Stream.concat(before.flows().stream(), now.flows().stream())
                .filter(flow -> !unchanged.contains(flow.name()))
                .toList()) {
            check(flow);
        }
    }

    private static void check(FlowConfig flow) throws IOException {
        if (flow.isOfFleet()) {
            throw new IOException("flow " + flow.name() + " shares a limit or rate with a fleet" + RESTART);
        }
        if (flow.from().kind().equals("udp")) {
            throw new IOException("flow " + flow.name() + " receives datagrams, which would be lost" + RESTART);
        }
    }
}
