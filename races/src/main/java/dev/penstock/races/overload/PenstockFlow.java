package dev.penstock.races.overload;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.flow.TargetLimit;
import java.util.OptionalInt;

/**
 * A flow with defaults except for the deadline, without knowledge of the stage's capacity. The accepting thread calls
 * {@link Flow#admit()}, which does not block.
 */
final class PenstockFlow {
    private PenstockFlow() {}

    static LimitedStage around(Service<Long, Long> stage, TargetLimit limit) {
        Flow<Long, Long> flow = Flow.named("overload")
                .deadline(OverloadCourse.USEFUL_WITHIN)
                .breaker()
                .sharedConcurrency(limit)
                .to(stage);
        return new VirtualThreads(() -> flow.admit()::call, () -> permits(flow));
    }

    private static OptionalInt permits(Flow<Long, Long> flow) {
        return flow.settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .map(Setting::value)
                .filter(value -> value.matches("\\d+"))
                .mapToInt(Integer::parseInt)
                .findFirst();
    }
}
