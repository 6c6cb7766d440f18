/** Limits the bytes that the transactions of a process hold in memory. */
@NullMarked
package dev.penstock.memory;

import org.jspecify.annotations.NullMarked;
