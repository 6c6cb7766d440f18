/** {@code penstock top}: the dashboard on a terminal. What is asked of the gateway goes in, lines come out. */
@NullMarked
package dev.penstock.cli.top;

import org.jspecify.annotations.NullMarked;
