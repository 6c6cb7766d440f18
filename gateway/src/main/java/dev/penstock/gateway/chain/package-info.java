/** Flows that call each other: {@code to: { flow: NAME }}. */
@NullMarked
package dev.penstock.gateway.chain;

import org.jspecify.annotations.NullMarked;
