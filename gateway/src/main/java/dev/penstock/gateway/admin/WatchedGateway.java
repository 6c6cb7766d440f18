package dev.penstock.gateway.admin;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.Bottleneck;
import dev.penstock.Dedupe;
import dev.penstock.Reason;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.http.balance.BalancedTarget.EndpointReport;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.supervise.Supervisor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A gateway as the admin server sees it. Thread-safe. */
public interface WatchedGateway {
    /** The flows, in file order. */
    List<? extends WatchedFlow> flows();

    /** Whether every part has started, so that transactions are processed. */
    boolean isStarted();

    /** Sources, brokers and stores of this process that are down, with the reason, a line each. */
    List<String> outages();

    /** The supervisor of its threads and periodic tasks. */
    Supervisor supervisor();

    /** The memory budget of its transactions. */
    MemoryBudget memory();

    /** Whether it is shutting down. */
    boolean isDraining();

    /** A flow as the admin server sees it. Each call reads current values. Thread-safe. */
    public interface WatchedFlow {
        /** The name. */
        String name();

        /** The source, in one short line. */
        String from();

        /** The target, in one short line without secrets. */
        String to();

        /** The accounting of its transactions. */
        Accounting accounting();

        /** The last reason of each cause of an ending without an answer. */
        List<Reason.Last> reasons();

        /** The counters of each stage, outermost first. */
        List<StageReport> stages();

        /** The bottleneck stage, and how to relieve it. */
        Bottleneck bottleneck();

        /** The answers of the target by status. */
        Map<Integer, Long> answersByStatus();

        /** A sentence for each class of error answers, {@code 4xx} or {@code 5xx}, that is more frequent than usual. */
        Map<String, String> frequentErrors();

        /** The state of the servers of the target, if it has several. */
        List<EndpointReport> servers();

        /** The batch counters; null without collapse. */
        @Nullable
        BatchCounts batches();

        /** The dedupe counters; null without dedupe. */
        Dedupe.@Nullable Counts dedupeCounts();

        /** The current settings. */
        List<Setting> settings();

        /**
         * Pins a setting at runtime.
         *
         * @param setting its name
         * @param value the value in the notation of the flow file
         * @param by who pins it
         * @return the changed setting
         * @throws IllegalArgumentException the setting cannot have this value; the message says what to do
         */
        Setting pin(String setting, String value, String by);

        /**
         * Unpins a setting: it becomes adaptive again, or returns to the configured value.
         *
         * @param setting its name
         * @return the changed setting
         * @throws IllegalArgumentException the setting cannot be pinned; the message says what to do
         */
        Setting unpin(String setting);

        /**
         * Counters of source and target, by family and result. The families {@code messages} (of a queue), {@code
         * datagrams} and {@code lost} (of UDP) have metrics of their own; any other family is a metric of its name.
         */
        Map<String, Map<String, Long>> counters();

        /** The counters of one family; empty when the flow has none. */
        default Map<String, Long> counters(String family) {
            return counters().getOrDefault(family, Map.of());
        }

        /** Advice for the administrator, a line each; empty when there is none. */
        List<String> advice();

        /** The connections of the target by state; those of a source begin with {@code source_}. */
        Map<String, Long> connections();

        /** The time of all exchanges with the target, in nanoseconds by part, and their {@code count}. */
        Map<String, Long> exchangeTimes();
    }
}
