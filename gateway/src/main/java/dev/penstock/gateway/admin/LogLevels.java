package dev.penstock.gateway.admin;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The levels of the loggers of this process. Loaded as a service; without one they cannot be changed at run time. Thread-safe. */
public interface LogLevels {
    /** The loggers with a level of their own, by name. */
    Map<String, String> own();

    /** The level that applies to a logger. */
    String of(String logger);

    /**
     * Sets the level of a logger, and of those below it without a level of their own.
     *
     * @param level null for that at the start
     * @throws IllegalArgumentException there is no such level; the message says what to do
     */
    void set(String logger, @Nullable String level);
}
