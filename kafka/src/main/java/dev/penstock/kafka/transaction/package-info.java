/** The transactions of a source, in which its records are sent on. Not exported. */
@NullMarked
package dev.penstock.kafka.transaction;

import org.jspecify.annotations.NullMarked;
