/** Races against real peers, a package each; see {@link dev.penstock.lab.race.Race}. Never shipped. */
@NullMarked
package dev.penstock.races;

import org.jspecify.annotations.NullMarked;
