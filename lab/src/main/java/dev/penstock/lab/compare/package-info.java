/** Tells whether two results differ: ratios with intervals, verdicts, and checks of whether a table can be true at all. */
@NullMarked
package dev.penstock.lab.compare;

import org.jspecify.annotations.NullMarked;
