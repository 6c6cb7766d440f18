package dev.penstock;

/**
 * How a transaction ended. Every offered transaction ends exactly once, as one of these four, and at every instant
 *
 * <pre>offered = answered + rejected + failed + unknown + in flight</pre>
 *
 * <p>{@link Answered} is what a service returns; the other three are thrown by it, so that calling code reads as plain
 * Java, and are {@link Unanswered} together.
 */
public sealed interface Ending permits Answered, Unanswered {}
