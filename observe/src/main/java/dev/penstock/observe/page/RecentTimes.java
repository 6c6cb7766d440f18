package dev.penstock.observe.page;

import dev.penstock.StageReport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The recent stage times of a flow: those of the last {@value #SNAPSHOTS} snapshots, as differences of cumulative
 * histograms. Uses {@value #SNAPSHOTS} histograms of 28 kB per stage.
 *
 * <p>No I/O. Not thread-safe.
 */
final class RecentTimes {
    private static final int SNAPSHOTS = 5;

    private final Deque<Map<String, Histogram>> before = new ArrayDeque<>(SNAPSHOTS);

    /** The recent times by stage name, without stages that have none. */
    Map<String, Histogram> next(List<StageReport> stages) {
        Map<String, Histogram> now = stages.stream()
                .filter(stage -> stage.times().getTotalCount() > 0)
                .collect(Collectors.toMap(StageReport::stage, StageReport::times));
        Map<String, Histogram> then = before.isEmpty() ? Map.of() : before.getFirst();
        if (before.size() == SNAPSHOTS) {
            before.removeFirst();
        }
        before.addLast(now);
        return now.keySet().stream()
                .collect(Collectors.toMap(Function.identity(), stage -> since(then.get(stage), now.get(stage))));
    }

    /** What was recorded between two snapshots; a null one is empty. */
    static Histogram since(@Nullable Histogram then, @Nullable Histogram now) {
        if (now == null || then == null) {
            return now == null ? new Histogram(2) : now;
        }
        Histogram between = now.copy();
        between.subtract(then);
        return between;
    }
}
