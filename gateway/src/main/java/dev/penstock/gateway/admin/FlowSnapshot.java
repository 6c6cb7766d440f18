package dev.penstock.gateway.admin;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.gateway.admin.WatchedGateway.WatchedFlow;
import dev.penstock.http.balance.BalancedTarget.EndpointReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a flow at one instant. Each part is read once, for both dashboard and events.
 *
 * @param flow the flow, for its constant properties
 * @param account the accounting of its transactions
 * @param reasons the last reason of each cause of an ending without an answer
 * @param stages the counters of each stage
 * @param settings the current settings
 * @param connections connections by state
 * @param counters counters by family and result
 * @param bottleneck the bottleneck stage
 * @param answers the answers of the target by status
 * @param errors a sentence for each class of error answers that is more frequent than usual
 * @param servers the state of the servers of the target, if it has several
 */
record FlowSnapshot(
        WatchedFlow flow,
        Accounting account,
        List<Reason.Last> reasons,
        List<StageReport> stages,
        List<Setting> settings,
        Map<String, Long> connections,
        Map<String, Map<String, Long>> counters,
        Bottleneck bottleneck,
        Map<Integer, Long> answers,
        Map<String, String> errors,
        List<EndpointReport> servers) {
    static FlowSnapshot at(WatchedFlow flow) {
        return new FlowSnapshot(
                flow,
                flow.accounting(),
                flow.reasons(),
                flow.stages(),
                flow.settings(),
                flow.connections(),
                flow.counters(),
                flow.bottleneck(),
                flow.answersByStatus(),
                flow.frequentErrors(),
                flow.servers());
    }

    /** The counters of a family; empty when the flow has none. */
    Map<String, Long> counters(String family) {
        return counters.getOrDefault(family, Map.of());
    }

    Optional<Setting> setting(String name) {
        return settings.stream().filter(setting -> setting.name().equals(name)).findFirst();
    }

    Optional<StageReport> stage(String name) {
        return stages.stream().filter(stage -> stage.stage().equals(name)).findFirst();
    }
}
