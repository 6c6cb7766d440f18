/** What races need of their machine: cores, programs, and servers in separate processes. */
@NullMarked
package dev.penstock.races.machine;

import org.jspecify.annotations.NullMarked;
