package dev.penstock.gateway.admin;

import dev.penstock.meter.StageReport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long the stages of a flow took of late: what was timed since the look {@value #LOOKS} looks ago. Cumulative times go in,
 * differences come out. Memory is bounded: {@value #LOOKS} histograms of 28 kB for each stage.
 *
 * <p>Pure. For one thread at a time.
 */
final class RecentTimes {
    private static final int LOOKS = 5;

    private final Deque<Map<String, Histogram>> before = new ArrayDeque<>(LOOKS);

    /** The times of each stage of late, by its name; stages for which there are none are left out. */
    Map<String, Histogram> next(List<StageReport> stages) {
        Map<String, Histogram> now = stages.stream()
                .filter(stage -> stage.times().getTotalCount() > 0)
                .collect(Collectors.toMap(StageReport::stage, StageReport::times));
        Map<String, Histogram> then = before.isEmpty() ? Map.of() : before.getFirst();
        if (before.size() == LOOKS) {
            before.removeFirst();
        }
        before.addLast(now);
        return now.keySet().stream()
                .collect(Collectors.toMap(Function.identity(), stage -> since(then.get(stage), now.get(stage))));
    }

    private static Histogram since(@Nullable Histogram then, @Nullable Histogram now) {
        if (now == null || then == null) {
            return now == null ? new Histogram(2) : now;
        }
        Histogram between = now.copy();
        between.subtract(then);
        return between;
    }
}
