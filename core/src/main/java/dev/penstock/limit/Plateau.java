package dev.penstock.limit;

/**
 * A range in which more in flight gave no more answers.
 *
 * @param from the lowest number in flight with about the best throughput
 * @param at the highest number in flight that was tried recently
 * @param slower how much longer an answer took at {@code at} than at {@code from}, as a fraction: 0.03 for 3 %
 */
public record Plateau(int from, int at, double slower) {}
