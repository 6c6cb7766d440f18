/** {@code penstock top}: shows the flows of a gateway in the terminal. */
@NullMarked
package dev.penstock.cli.top;

import org.jspecify.annotations.NullMarked;
