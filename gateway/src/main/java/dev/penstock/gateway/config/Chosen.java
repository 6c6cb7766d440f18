package dev.penstock.gateway.config;

import dev.penstock.Setting.Origin;

/**
 * A value together with who chose it: the file, or Penstock's default.
 *
 * @param value the value
 * @param origin {@link Origin#FILE} or {@link Origin#DEFAULT}
 * @param place where the file says it; {@link Place#NOWHERE} for a default
 */
public record Chosen<T>(T value, Origin origin, Place place) {
    /** A default. */
    public static <T> Chosen<T> byDefault(T value) {
        return new Chosen<>(value, Origin.DEFAULT, Place.NOWHERE);
    }

    /** A value that the file gives. */
    public static <T> Chosen<T> inFile(T value, Place place) {
        return new Chosen<>(value, Origin.FILE, place);
    }

    /** Whether the file gives it. */
    public boolean inFile() {
        return origin == Origin.FILE;
    }
}
