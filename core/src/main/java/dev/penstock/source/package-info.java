/** What sources that take messages from a broker share. Imports {@link dev.penstock} and its texts. */
@NullMarked
package dev.penstock.source;

import org.jspecify.annotations.NullMarked;
