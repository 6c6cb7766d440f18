package dev.penstock.observe;

import dev.penstock.flow.Flow;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.supervise.Supervisor;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process with flows, such as a gateway, as metrics and pages see it. Thread-safe. */
public interface WatchedProcess {
    /** A certificate that the process presents, with its file and when it expires. */
    record Certificate(String subject, String file, Instant until) {}

    /** The flows; their names are unique. */
    List<? extends WatchedFlow> flows();

    /** Whether every part has started, so that transactions are processed. */
    default boolean isStarted() {
        return true;
    }

    /** Whether it is shutting down. */
    boolean isDraining();

    /** Sources, brokers and stores of this process that are down, with the reason, a line each. */
    default List<String> outages() {
        return List.of();
    }

    /** Threads and periodic tasks of this process that have failed and not run again yet, with the reason, a line each. */
    default List<String> partsDown() {
        return Supervisor.current().down();
    }

    /** The failures of threads and periodic tasks, by part. */
    default Map<String, Long> faults() {
        return Supervisor.current().faults();
    }

    /** What became of changed files since the last call, a sentence each. */
    default List<String> fileNews() {
        return List.of();
    }

    /** The certificates that it presents to clients. */
    default List<Certificate> certificates() {
        return List.of();
    }

    /** What is wrong with certificates, for instance that one expires soon, a sentence each. */
    default List<String> certificateWarnings() {
        return List.of();
    }

    /** The memory budget of its transactions: bytes {@code used} and their {@code limit}, and how many were {@code refused}. */
    default Map<String, Long> memory() {
        MemoryBudget budget = MemoryBudget.current();
        return Map.of("used", budget.used(), "limit", budget.limit(), "refused", budget.refused());
    }

    /** The versions of its flow file, the one that runs first, as JSON; none by default. */
    default List<Map<String, Object>> generations() {
        return List.of();
    }

    /** What it shares with other processes, with its share and all members; none by default. */
    default List<Map<String, Object>> fleets() {
        return List.of();
    }

    /** The file that keeps the numbers of the last 24 hours across restarts; null (default) for none. */
    default @Nullable Path historyFile() {
        return null;
    }

    /** The records of its transactions; null (default) for none. */
    default @Nullable TransactionLog records() {
        return null;
    }

    /**
     * What its stores of keys and outcomes, and its dead letters have about a transaction, a sentence each.
     *
     * @param text an id or a key
     * @param flow null for all flows
     * @return the sentences; none by default
     */
    default List<String> stored(String text, @Nullable String flow) {
        return List.of();
    }

    /**
     * {@return this program with these flows}
     *
     * @param flows the flows; their names must be unique
     */
    static WatchedProcess of(Flow<?, ?>... flows) {
        List<EmbeddedFlow> watched = Stream.of(flows).map(EmbeddedFlow::new).toList();
        return new WatchedProcess() {
            @Override
            public List<? extends WatchedFlow> flows() {
                return watched;
            }

            @Override
            public boolean isDraining() {
                return Stream.of(flows).anyMatch(Flow::isDraining);
            }
        };
    }
}
