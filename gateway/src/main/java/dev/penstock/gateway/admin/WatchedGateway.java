package dev.penstock.gateway.admin;

import dev.penstock.Setting;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.memory.MemoryBudget;
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

    /** A flow as the admin server sees it. Thread-safe. */
    interface WatchedFlow {
        /** The name. */
        String name();

        /** Its state now. */
        FlowSnapshot snapshot();

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
    }
}
