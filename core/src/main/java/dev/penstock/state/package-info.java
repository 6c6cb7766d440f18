/** What was learned outlives a restart in a small file; deleting it is safe. */
@NullMarked
package dev.penstock.state;

import org.jspecify.annotations.NullMarked;
