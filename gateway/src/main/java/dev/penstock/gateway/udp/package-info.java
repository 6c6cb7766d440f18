/** UDP in the gateway: {@code from.udp}, {@code to.udp}, and {@code to.replace}, which can answer without a thread. */
@NullMarked
package dev.penstock.gateway.udp;

import org.jspecify.annotations.NullMarked;
