package dev.penstock.observe.page;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Dedupe;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Target.EndpointReport;
import dev.penstock.observe.FlowSnapshot;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Snapshots of a flow named {@code f}, with what a test needs. */
final class Snapshots {
    private Snapshots() {}

    static FlowSnapshot of(Accounting account, List<Reason.Last> reasons, Dedupe.@Nullable Counts dedupe) {
        return of(account, reasons, List.of(), List.of(), Map.of(), Map.of(), Map.of(), List.of(), dedupe);
    }

    static FlowSnapshot of(
            Accounting account,
            List<Reason.Last> reasons,
            List<StageReport> stages,
            List<Setting> settings,
            Map<String, Long> connections,
            Map<String, Map<String, Long>> counters,
            Map<String, String> errors,
            List<EndpointReport> servers,
            Dedupe.@Nullable Counts dedupe) {
        return new FlowSnapshot(
                "f",
                "",
                "",
                account,
                reasons,
                stages,
                new Bottleneck("", "", List.of()),
                settings,
                connections,
                counters,
                Map.of(),
                errors,
                servers,
                null,
                dedupe,
                List.of(),
                Map.of());
    }
}
