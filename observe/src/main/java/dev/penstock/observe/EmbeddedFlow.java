package dev.penstock.observe;

import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import java.util.List;
import java.util.Map;

/** A flow of this program. Thread-safe. */
record EmbeddedFlow(Flow<?, ?> flow) implements WatchedFlow {
    @Override
    public String name() {
        return flow.name();
    }

    @Override
    public FlowSnapshot snapshot() {
        Target<?, ?> target = flow.target();
        return new FlowSnapshot(
                flow.name(),
                "this program",
                target == null ? "a function" : target.where(),
                flow.accounting(),
                flow.reasons(),
                flow.stages(),
                flow.bottleneck(),
                flow.settings(),
                target == null ? Map.of() : target.connections(),
                target == null ? Map.of() : target.counters(),
                flow.answersByStatus(),
                flow.frequentErrors(),
                target == null ? List.of() : target.endpoints(),
                flow.batches(),
                flow.dedupeCounts(),
                List.of(),
                target == null ? Map.of() : target.times());
    }

    @Override
    public Setting pin(String setting, String value, String by) {
        return flow.pin(setting, value, by);
    }

    @Override
    public Setting unpin(String setting) {
        return flow.unpin(setting);
    }
}
