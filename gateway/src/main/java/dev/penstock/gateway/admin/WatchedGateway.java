package dev.penstock.gateway.admin;

import dev.penstock.memory.MemoryBudget;
import dev.penstock.supervise.Supervisor;
import java.util.List;

/** What the admin pages see of a gateway. Safe for many threads. */
public interface WatchedGateway {
    /** Its flows, in the order of the file. */
    List<? extends WatchedFlow> flows();

    /** Whether every part has started, so that transactions are carried. */
    boolean isStarted();

    /** Why sources bring nothing in, a line each; empty when all do. */
    List<String> outages();

    /** Which of its threads and periodic tasks failed, and which are down. */
    Supervisor supervisor();

    /** What its transactions hold in memory. */
    MemoryBudget memory();

    /** Whether it is shutting down. */
    boolean isDraining();
}
