/**
 * HTTP server: {@link dev.penstock.http.source.HttpSource} passes requests to flows, {@link
 * dev.penstock.http.source.PageServer} serves pages.
 *
 * <p>Jetty logs a few lines when it starts and stops, under names that begin with {@code org.eclipse.jetty}. This package logs
 * errors. Both use SLF4J, and neither configures logging.
 */
@NullMarked
package dev.penstock.http.source;

import org.jspecify.annotations.NullMarked;
