/** What source and target share. Public only for them. */
@NullMarked
package dev.penstock.http.internal;

import org.jspecify.annotations.NullMarked;
