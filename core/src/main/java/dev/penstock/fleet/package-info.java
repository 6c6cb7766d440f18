/** One limit or rate for all gateways of a name: each has a share of it for a while, by a lease. */
@NullMarked
package dev.penstock.fleet;

import org.jspecify.annotations.NullMarked;
