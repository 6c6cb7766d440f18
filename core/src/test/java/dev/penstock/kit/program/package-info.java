/** Real programs of the system for tests. Needs JUnit, which skips a test whose program is missing. */
@NullMarked
package dev.penstock.kit.program;

import org.jspecify.annotations.NullMarked;
