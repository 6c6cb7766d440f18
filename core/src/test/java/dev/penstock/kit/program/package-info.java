/** Real programs for tests: those of the system, and the fuzzer. {@code NeedsProgram} and the fuzzer need JUnit. */
@NullMarked
package dev.penstock.kit.program;

import org.jspecify.annotations.NullMarked;
