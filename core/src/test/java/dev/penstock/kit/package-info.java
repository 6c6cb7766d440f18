/**
 * For tests of Penstock, and of programs that embed it: a clock that stands still until told to move, a service that does
 * what its script says, and faults on a time line. Shipped as the test-jar of core.
 */
@NullMarked
package dev.penstock.kit;

import org.jspecify.annotations.NullMarked;
