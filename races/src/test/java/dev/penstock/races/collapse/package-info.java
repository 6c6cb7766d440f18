@NullMarked
package dev.penstock.races.collapse;

import org.jspecify.annotations.NullMarked;
