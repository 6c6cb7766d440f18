package dev.penstock.observe;

/** Something published, such as metrics or MBeans, until it is closed. Thread-safe. */
@FunctionalInterface
public interface Binding extends AutoCloseable {
    /** Removes it. Idempotent. */
    @Override
    void close();
}
