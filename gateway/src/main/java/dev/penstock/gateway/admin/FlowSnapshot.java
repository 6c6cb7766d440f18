package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.bottleneck.Bottleneck;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.LastReasons;
import dev.penstock.meter.StageReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A flow at one moment: each of its parts is read once, for the page and for the events alike.
 *
 * @param flow the flow itself, for what does not change
 * @param account what became of its transactions
 * @param reasons the last one of each cause by which they ended without an answer
 * @param stages what each has done
 * @param settings as they are
 * @param connections by state
 * @param lost datagrams by place
 * @param bottleneck what holds it back
 */
record FlowSnapshot(
        WatchedFlow flow,
        Accounting account,
        List<LastReasons.Last> reasons,
        List<StageReport> stages,
        List<Setting> settings,
        Map<String, Long> connections,
        Map<String, Long> lost,
        Bottleneck bottleneck) {
    static FlowSnapshot at(WatchedFlow flow) {
        return new FlowSnapshot(
                flow,
                flow.accounting(),
                flow.reasons(),
                flow.stages(),
                flow.settings(),
                flow.connections(),
                flow.lost(),
                flow.bottleneck());
    }

    Optional<Setting> setting(String name) {
        return settings.stream().filter(setting -> setting.name().equals(name)).findFirst();
    }

    Optional<StageReport> stage(String name) {
        return stages.stream().filter(stage -> stage.stage().equals(name)).findFirst();
    }
}
