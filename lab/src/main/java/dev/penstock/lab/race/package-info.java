/**
 * Races: the same course for every contestant, in blocks of random order, with fresh state and a fresh JVM for
 * each block.
 *
 * <pre>{@code
 *   Race --> Course --> Entry (contestant)
 *
 *   runner's JVM                              contestant's JVM
 *   Scene.open ------- parameters -------->   Course.run: create the client
 *   Scene.begin <----- ready / go -------->   load --> measure
 *   Scene.metrics <--- BlockResult --------   end
 * }</pre>
 *
 * <p>Contestants that run at different times see a different machine state. Interleaving them block by block, each
 * round in another order, spreads disturbances over all of them; ratios are paired by round.
 *
 * <p>Blocks of a course with a {@link dev.penstock.lab.race.Course#stagger()} run side by side instead: all of a round are prepared,
 * one after the other, and their loads start in the round's order, that time apart.
 */
@NullMarked
package dev.penstock.lab.race;

import org.jspecify.annotations.NullMarked;
