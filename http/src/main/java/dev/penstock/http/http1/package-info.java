/** Reads and writes HTTP/1.1 messages. Public only for the modules of Penstock. */
@NullMarked
package dev.penstock.http.http1;

import org.jspecify.annotations.NullMarked;
