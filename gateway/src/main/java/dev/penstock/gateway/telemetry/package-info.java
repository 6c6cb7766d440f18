/** Sends traces with OpenTelemetry's SDK. Its classes are loaded only if the file has the key {@code telemetry}. */
@NullMarked
package dev.penstock.gateway.telemetry;

import org.jspecify.annotations.NullMarked;
