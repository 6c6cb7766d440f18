/** The header fields of HTTP messages. */
@NullMarked
package dev.penstock.http.header;

import org.jspecify.annotations.NullMarked;
