/**
 * For tests of Penstock, and of programs that embed it: a clock that stands still until told to move, a service that does
 * what its script says, faults on a time line, and a check that nothing is held in the end. Shipped as the test-jar of core.
 */
@NullMarked
package dev.penstock.kit;

import org.jspecify.annotations.NullMarked;
