package dev.penstock;

/**
 * How a transaction ended. Every offered transaction ends exactly once, as one of four endings. The accounting invariant
 * holds at every instant:
 *
 * <pre>offered = answered + rejected + failed + unknown + in flight</pre>
 *
 * <p>A service returns the answer for {@link Answered}. It throws the other three, {@link Rejected}, {@link Failed} and
 * {@link Unknown}, which share the supertype {@link Unanswered}.
 */
public sealed interface Ending permits Answered, Unanswered {}
