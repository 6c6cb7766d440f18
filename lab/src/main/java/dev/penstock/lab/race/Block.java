package dev.penstock.lab.race;

/**
 * One run of one contestant.
 *
 * @param entry the contestant's name in {@link Course#entries()}; never the name of its twin
 * @param effort how much is measured
 * @param round from 1 on
 * @param seed where its chance begins; the same for all contestants of a round
 */
public record Block(String entry, Effort effort, int round, long seed) {}
