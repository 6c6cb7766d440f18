/** Durations and sizes as text. Imports no other package. */
@NullMarked
package dev.penstock.text;

import org.jspecify.annotations.NullMarked;
