package dev.penstock.observe;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Reads from the requests of a flow what traces need. Must be thread-safe. */
@FunctionalInterface
public interface RequestReader {
    /**
     * The value of a header field or message property.
     *
     * @param request a request of the flow
     * @param name its name, in lower case
     * @return the value; null when there is none
     */
    @Nullable
    String field(Object request, String name);

    /**
     * Describes a request. By default, nothing.
     *
     * @param request a request of the flow
     * @param attributes receives the name, from OpenTelemetry's semantic conventions, and the value: a string, an int or a long
     */
    default void describe(Object request, BiConsumer<String, Object> attributes) {}
}
