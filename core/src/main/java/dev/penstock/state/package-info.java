/** Small files that survive a restart: learned values, which are safe to delete, and the transactions in progress. */
@NullMarked
package dev.penstock.state;

import org.jspecify.annotations.NullMarked;
