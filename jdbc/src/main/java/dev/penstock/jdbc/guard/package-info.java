/** A connection pool that never hands out a dead connection. */
@NullMarked
package dev.penstock.jdbc.guard;

import org.jspecify.annotations.NullMarked;
