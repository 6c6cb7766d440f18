/** Databases in the gateway: {@code to.jdbc}. */
@NullMarked
package dev.penstock.gateway.jdbc;

import org.jspecify.annotations.NullMarked;
