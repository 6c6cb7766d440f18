package dev.penstock.gateway.admin;

import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.memory.MemoryBudget;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.supervise.Supervisor;
import java.util.List;

/** A gateway as the admin server sees it. Thread-safe. */
public interface WatchedGateway {
    /** The flows, in file order. */
    List<? extends WatchedFlow> flows();

    /** Whether every part has started, so that transactions are processed. */
    boolean isStarted();

    /** Sources, brokers and stores of this process that are down, with the reason, a line each. */
    List<String> outages();

    /** What became of changed files since the last call, a sentence each. */
    List<String> fileNews();

    /** The certificates that it presents to clients, of its sources and of the admin port. */
    default List<TlsMaterial> tls() {
        return List.of();
    }

    /** The supervisor of its threads and periodic tasks. */
    Supervisor supervisor();

    /** The memory budget of its transactions. */
    MemoryBudget memory();

    /** Whether it is shutting down. */
    boolean isDraining();
}
