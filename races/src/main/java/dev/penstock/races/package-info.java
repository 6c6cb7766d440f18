/**
 * Races against other libraries, one package each; see {@link dev.penstock.lab.race.Race}. Not part of
 * the distribution.
 */
@NullMarked
package dev.penstock.races;

import org.jspecify.annotations.NullMarked;
