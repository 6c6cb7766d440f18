package dev.penstock.lab.race;

/**
 * One run of one contestant.
 *
 * @param entry the contestant's name in {@link Course#entries()}; never its A/A twin's name
 * @param effort how much to measure
 * @param round from 1
 * @param seed of random choices; the same for all contestants of a round
 */
public record Block(String entry, Effort effort, int round, long seed) {}
