package dev.penstock;

/**
 * Wraps a service into another service of the same types.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
@FunctionalInterface
public interface Filter<Q, R> {
    /**
     * Wraps a service.
     *
     * @param next the service that the filter calls
     * @return the wrapped service; thread-safe if {@code next} is
     */
    Service<Q, R> around(Service<Q, R> next);
}
