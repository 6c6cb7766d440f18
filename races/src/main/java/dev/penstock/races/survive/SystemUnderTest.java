package dev.penstock.races.survive;

import dev.penstock.meter.Accounting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A flow with its target, the network behind it and a real peer. */
interface SystemUnderTest extends AutoCloseable {
    /**
     * Calls the flow, as a caller does.
     *
     * @param id names the transaction; the same id again is the same transaction
     * @return the id that the answer bears
     * @throws Exception how the flow says that it ended
     */
    String call(String id) throws Exception;

    /** Begins a fault. */
    void begin(FaultPlan.Step step) throws IOException;

    /** Ends the fault that was begun last. */
    void heal() throws IOException;

    /**
     * How often the peer received each transaction, by id. To be asked after {@link #drain}, when nothing is called any more: what
     * is under way arrives first.
     */
    Map<String, Integer> received() throws Exception;

    /** Ends the flow, and waits for what is in flight; null when nobody can tell what was counted. */
    @Nullable
    Accounting drain(Duration atMost);

    /** What calls that have ended still hold: permits, connections, threads; each in a sentence. Empty when all is well. */
    List<String> leaks();

    @Override
    void close();
}
