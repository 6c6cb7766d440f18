@NullMarked
package dev.penstock.races.overload;

import org.jspecify.annotations.NullMarked;
