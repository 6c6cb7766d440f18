/** The test kit of the lab: a real browser for whoever makes pages. */
@NullMarked
package dev.penstock.lab.kit;

import org.jspecify.annotations.NullMarked;
