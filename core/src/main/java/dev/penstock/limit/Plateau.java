package dev.penstock.limit;

/**
 * Where more in flight gave no more answers.
 *
 * @param from the least in flight that gave about as many as the best
 * @param at the most in flight that was tried lately
 * @param slower how much longer an answer took there, as a share: 0.03 for 3 %
 */
public record Plateau(int from, int at, double slower) {}
