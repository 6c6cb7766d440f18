package dev.penstock;

/**
 * Wraps a service into another of the same shape. Every stage of a flow is one.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
@FunctionalInterface
public interface Filter<Q, R> {
    /**
     * Puts this filter around a service.
     *
     * @param next the service to call from within
     * @return the wrapped service; safe for many threads when {@code next} is
     */
    Service<Q, R> around(Service<Q, R> next);
}
