package dev.penstock.gateway.admin;

import dev.penstock.memory.MemoryBudget;
import dev.penstock.supervise.Supervisor;
import java.util.List;

/** A gateway as the admin server sees it. Thread-safe. */
public interface WatchedGateway {
    /** The flows, in file order. */
    List<? extends WatchedFlow> flows();

    /** Whether every part has started, so that transactions are processed. */
    boolean isStarted();

    /** Sources that are down, with the reason, a line each. */
    List<String> outages();

    /** The supervisor of its threads and periodic tasks. */
    Supervisor supervisor();

    /** The memory budget of its transactions. */
    MemoryBudget memory();

    /** Whether it is shutting down. */
    boolean isDraining();
}
