package dev.penstock.gateway.config;

import dev.penstock.Setting.Origin;

/**
 * A value together with who chose it: the file, or Penstock's default.
 *
 * @param value the value
 * @param origin {@link Origin#FILE} or {@link Origin#DEFAULT}
 * @param place where the file says it; {@link FileLocation#NOWHERE} for a default
 */
public record Configured<T>(T value, Origin origin, FileLocation place) {
    /** A default. */
    public static <T> Configured<T> byDefault(T value) {
        return new Configured<>(value, Origin.DEFAULT, FileLocation.NOWHERE);
    }

    /** A value that the file gives. */
    public static <T> Configured<T> inFile(T value, FileLocation place) {
        return new Configured<>(value, Origin.FILE, place);
    }

    /** Whether the file gives it. */
    public boolean inFile() {
        return origin == Origin.FILE;
    }
}
