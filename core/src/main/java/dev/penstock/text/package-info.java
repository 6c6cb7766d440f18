/** Durations, sizes, servers and blocks of addresses as text, and the digest of a text. Imports no other package. */
@NullMarked
package dev.penstock.text;

import org.jspecify.annotations.NullMarked;
