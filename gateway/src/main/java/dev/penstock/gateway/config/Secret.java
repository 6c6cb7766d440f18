package dev.penstock.gateway.config;

import java.util.function.Supplier;

/**
 * A text that is never printed, for instance the value of an Authorization header. One of a {@code ${file:PATH}} follows its file, so
 * it is to be asked for at each use. Equal if the texts are.
 */
public final class Secret implements Supplier<String> {
    private final Supplier<String> current;
    private final boolean changes;

    /** A text that stays the same. */
    public Secret(String value) {
        this.current = () -> value;
        this.changes = false;
    }

    /** A text that follows a file. */
    Secret(Supplier<String> current) {
        this.current = current;
        this.changes = true;
    }

    /** Whether the text may change. */
    public boolean changes() {
        return changes;
    }

    /** The text now. */
    @Override
    public String get() {
        return current.get();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && secret.get().equals(get());
    }

    @Override
    public int hashCode() {
        return get().hashCode();
    }

    /** Hides the text. */
    @Override
    public String toString() {
        return "(hidden)";
    }
}
