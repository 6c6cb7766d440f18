/** Real programs for tests: those of the system, and the fuzzer. Needs JUnit, which skips a test whose program is missing. */
@NullMarked
package dev.penstock.kit.program;

import org.jspecify.annotations.NullMarked;
