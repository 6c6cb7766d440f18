/**
 * Races: the same course for every contestant, in blocks of random order, with fresh state and a fresh JVM for each block.
 *
 * <pre>
 *   Race --> Course --> Entry (contestant)
 *              |
 *   runner's JVM                              contestant's JVM
 *   Scene.open ------- parameters -------->   Course.run: make the client
 *   Scene.begin <----- ready / go -------->   load --> measure
 *   Scene.metrics <--- BlockResult --------   end
 * </pre>
 *
 * <p>Contestants that run at different times meet different machines: interleaving them block by block, each round in
 * another order, spreads what the machine does over all of them, and the ratio is taken round by round.
 */
@NullMarked
package dev.penstock.lab.race;

import org.jspecify.annotations.NullMarked;
