package dev.penstock.gateway.config;

import dev.penstock.Setting.Origin;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A value and its origin: the flow file or a default.
 *
 * @param value the value
 * @param origin {@link Origin#FILE} or {@link Origin#DEFAULT}
 * @param location where it is in the file; {@link FileLocation#NOWHERE} for a default
 */
public record Configured<T>(T value, Origin origin, FileLocation location) {
    /** A default value. */
    public static <T> Configured<T> byDefault(T value) {
        return new Configured<>(value, Origin.DEFAULT, FileLocation.NOWHERE);
    }

    /** A value from the file. */
    public static <T> Configured<T> fromFile(T value, FileLocation location) {
        return new Configured<>(value, Origin.FILE, location);
    }

    /** Passes a value to a builder if it comes from the file. Otherwise the builder keeps its default. */
    public static <T> void given(@Nullable Configured<T> configured, Consumer<T> to) {
        if (configured != null && configured.inFile()) {
            to.accept(configured.value());
        }
    }

    /** Where it is in the file, or what stands for it there. */
    public FileLocation locationOr(FileLocation instead) {
        return inFile() ? location : instead;
    }

    /** Whether the value comes from the file. */
    public boolean inFile() {
        return origin == Origin.FILE;
    }
}
