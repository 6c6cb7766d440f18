@NullMarked
package dev.penstock.races.machine;

import org.jspecify.annotations.NullMarked;
