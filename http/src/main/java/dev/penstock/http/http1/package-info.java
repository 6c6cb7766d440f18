/**
 * Reads and writes HTTP/1.1 messages: for targets, the source, probes and races. Public only for the modules of Penstock.
 *
 * <p>The simulator has a reader of its own, which is strict so that it detects errors of clients.
 */
@NullMarked
package dev.penstock.http.http1;

import org.jspecify.annotations.NullMarked;
