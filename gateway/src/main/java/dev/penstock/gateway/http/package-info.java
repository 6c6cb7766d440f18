/** HTTP in the gateway: {@code from.http}, {@code to.http}, status queries and batches. */
@NullMarked
package dev.penstock.gateway.http;

import org.jspecify.annotations.NullMarked;
