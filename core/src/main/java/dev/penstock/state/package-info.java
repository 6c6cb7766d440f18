/** Small files that survive a restart: which of them others can read, and the transactions in progress. Imports no other package. */
@NullMarked
package dev.penstock.state;

import org.jspecify.annotations.NullMarked;
