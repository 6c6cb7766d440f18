package dev.penstock;

/**
 * The target answered, also when its answer is a business "no".
 *
 * @param answer what the target said
 * @param <R> the kind of answer
 */
public record Answered<R>(R answer) implements Ending, Settled<R> {}
