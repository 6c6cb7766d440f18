/** Rates of those who call. Imports no other package. */
@NullMarked
package dev.penstock.rate;

import org.jspecify.annotations.NullMarked;
