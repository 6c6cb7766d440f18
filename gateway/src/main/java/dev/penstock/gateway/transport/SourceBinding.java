package dev.penstock.gateway.transport;

import dev.penstock.Accounting;
import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.flow.Flow;
import dev.penstock.http.tls.TlsMaterial;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The source of a flow in a gateway, and what is shown of it. Thread-safe. */
public interface SourceBinding {
    /** The source, which several flows may share. */
    Source source();

    /** The address, in one short line without secrets. */
    String where();

    /** The settings of the source. */
    List<Setting> settings();

    /** The certificates that it presents to clients; null for none. */
    default @Nullable TlsMaterial tls() {
        return null;
    }

    /** Connections by state. */
    default Map<String, Long> connections() {
        return Map.of();
    }

    /**
     * Counters by family and result, for {@code /flows} and the metrics: the family {@code messages} with the result
     * {@code received} is the metric {@code penstock_messages_total{result="received"}}.
     */
    default Map<String, Map<String, Long>> counters() {
        return Map.of();
    }

    /** Advice for the administrator, a line each. */
    default List<String> advice() {
        return List.of();
    }

    /**
     * What became of a request that could not be processed; null if it is not among the dead letters.
     *
     * @param id the id of its transaction
     * @throws Exception they cannot be searched
     */
    default @Nullable String deadLetter(String id) throws Exception {
        return null;
    }

    /** Whether received requests have not entered their flow yet. A drain waits for them. */
    default boolean isBusy() {
        return false;
    }

    /** Whether replies or acknowledgements of ended transactions are missing. A drain waits for them, as for transactions. */
    default boolean isSettling() {
        return false;
    }

    /** The number of clients that may still wait for an answer. A drain gives them a moment. */
    default int inFlight() {
        return 0;
    }

    /** Whether an answer is being written or about to be. A drain waits longer for it than for other clients. */
    default boolean isAnswering() {
        return false;
    }

    /** Whether the source answers by itself, so that requests bypass the stages of the flow. */
    default boolean isInline() {
        return false;
    }

    /** The accounting of the transactions. */
    default Accounting accounting(Flow<?, ?> flow) {
        return flow.accounting();
    }

    /**
     * Tries for a plan what only the system knows, and opens nothing for longer.
     *
     * @throws IOException it cannot; reported again at start
     */
    default void rehearse() throws IOException {}
}
