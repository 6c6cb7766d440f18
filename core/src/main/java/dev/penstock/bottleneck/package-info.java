/**
 * Which stage of a flow binds, and what would move it, from what its stages have measured. Pure: readings go in, one sentence
 * comes out.
 */
@NullMarked
package dev.penstock.bottleneck;

import org.jspecify.annotations.NullMarked;
