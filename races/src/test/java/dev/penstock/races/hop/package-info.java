@NullMarked
package dev.penstock.races.hop;

import org.jspecify.annotations.NullMarked;
