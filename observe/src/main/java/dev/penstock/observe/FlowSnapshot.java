package dev.penstock.observe;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.Bottleneck;
import dev.penstock.Dedupe;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Target.EndpointReport;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state of a flow at one instant: what metrics, pages, events and {@code check} show. Each part is read once.
 *
 * @param name the name
 * @param from the source, in one short line
 * @param to the target, in one short line without secrets
 * @param account the accounting of its transactions
 * @param reasons the last reason of each cause of an ending without an answer
 * @param stages the counters of each stage, outermost first
 * @param bottleneck the bottleneck stage, and how to relieve it
 * @param settings the current settings
 * @param connections the connections of the target by state; those of a source begin with {@code source_}
 * @param counters counters of source and target, by family and result. The families {@code messages} (of a queue), {@code
 *     datagrams} and {@code lost} (of UDP) have metrics of their own; any other family is a metric of its name
 * @param answers the answers of the target by status
 * @param errors a sentence for each class of error answers, {@code 4xx} or {@code 5xx}, that is more frequent than usual
 * @param servers the state of the servers of the target, if it has several
 * @param batches the batch counters; null without collapse
 * @param dedupe the dedupe counters; null without dedupe
 * @param advice advice for the administrator, a line each
 * @param exchangeTimes the time of all exchanges with the target, in nanoseconds by part, and their {@code count}
 */
public record FlowSnapshot(
        String name,
        String from,
        String to,
        Accounting account,
        List<Reason.Last> reasons,
        List<StageReport> stages,
        Bottleneck bottleneck,
        List<Setting> settings,
        Map<String, Long> connections,
        Map<String, Map<String, Long>> counters,
        Map<Integer, Long> answers,
        Map<String, String> errors,
        List<EndpointReport> servers,
        @Nullable BatchCounts batches,
        Dedupe.@Nullable Counts dedupe,
        List<String> advice,
        Map<String, Long> exchangeTimes) {
    /** The counters of a family; empty when the flow has none. */
    public Map<String, Long> counters(String family) {
        return counters.getOrDefault(family, Map.of());
    }

    /** The last reason that is wanted; empty when there is none. */
    public Optional<Reason.Last> lastReason(Predicate<Reason> wanted) {
        return reasons.stream().filter(last -> wanted.test(last.reason())).max(Comparator.comparing(Reason.Last::at));
    }

    /** A setting by its name. */
    public Optional<Setting> setting(String name) {
        return settings.stream().filter(setting -> setting.name().equals(name)).findFirst();
    }

    /** A stage by its name. */
    public Optional<StageReport> stage(String name) {
        return stages.stream().filter(stage -> stage.stage().equals(name)).findFirst();
    }
}
