/**
 * HTTP server: {@link dev.penstock.http.source.HttpSource} passes requests to flows, {@link
 * dev.penstock.http.source.PageServer} serves pages.
 *
 * <p>Helidon logs a few lines through {@code System.Logger} when it starts and stops, under names that begin with {@code
 * io.helidon}. This package logs errors through SLF4J, and does not configure logging.
 */
@NullMarked
package dev.penstock.http.source;

import org.jspecify.annotations.NullMarked;
