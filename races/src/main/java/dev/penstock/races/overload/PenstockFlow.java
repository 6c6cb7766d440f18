package dev.penstock.races.overload;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.flow.Flow;
import dev.penstock.limit.TargetLimit;
import java.util.OptionalInt;

/**
 * A flow with everything at its default but the deadline: nobody told it how much the stage can take. Whoever accepts asks it
 * by {@link Flow#admit()}, which waits for nothing.
 */
final class PenstockFlow {
    private PenstockFlow() {}

    static LimitedStage around(Service<Long, Long> stage, TargetLimit limit) {
        Flow<Long, Long> flow = Flow.named("overload")
                .deadline(OverloadCourse.USEFUL_WITHIN)
                .breaker()
                .limit(limit)
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
