package dev.penstock.observe;

import dev.penstock.Setting;

/** A flow as metrics, pages and JMX see it. Thread-safe. */
public interface WatchedFlow {
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
