/** {@code penstock find}: the life of transactions. */
@NullMarked
package dev.penstock.cli.find;

import org.jspecify.annotations.NullMarked;
