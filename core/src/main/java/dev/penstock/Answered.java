package dev.penstock;

import dev.penstock.StatusProbe.Settled;

/**
 * The target answered. A business refusal ("insufficient funds") is an answer too.
 *
 * @param answer the target's answer
 * @param <R> the type of the answer
 */
public record Answered<R>(R answer) implements Ending, Settled<R> {}
