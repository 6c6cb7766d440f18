/** Carries many requests to a target by one call. */
@NullMarked
package dev.penstock.collapse;

import org.jspecify.annotations.NullMarked;
