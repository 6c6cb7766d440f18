@NullMarked
package dev.penstock.races.overhead;

import org.jspecify.annotations.NullMarked;
