/**
 * The {@code penstock} command: one thin class per subcommand. The logic is in the gateway and the lab.
 *
 * <p>Results go to standard output, progress and errors to standard error. Exit codes: 0 done, 1 it ran and failed, 2
 * wrong usage, 78 bad configuration.
 */
@NullMarked
package dev.penstock.cli;

import org.jspecify.annotations.NullMarked;
