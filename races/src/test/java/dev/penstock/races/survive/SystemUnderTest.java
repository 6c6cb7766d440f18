package dev.penstock.races.survive;

import dev.penstock.Accounting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A flow with its target, the network path and a real peer. */
interface SystemUnderTest extends AutoCloseable {
    /**
     * Calls the flow.
     *
     * @param id identifies the transaction; calls with the same id are the same transaction
     * @return the id in the answer
     * @throws Exception the flow's exception for any other ending
     */
    String call(String id) throws Exception;

    /** Begins a fault. */
    void begin(FaultPlan.Step step) throws IOException;

    /** Ends the fault that was begun last. */
    void heal() throws IOException;

    /**
     * How often the peer received each transaction, by id. Call this after {@link #drain}, when no calls are running:
     * it waits for what is still on its way.
     */
    Map<String, Integer> received() throws Exception;

    /** Closes the flow to new calls and waits for those in flight. Returns null if the counts are not available. */
    @Nullable
    Accounting drain(Duration atMost);

    /**
     * The resources that are still held by calls that have ended: permits, connections, threads, one sentence each.
     * Empty if there are none.
     */
    List<String> leaks();

    @Override
    void close();
}
