@NullMarked
package dev.penstock.races.udpburst;

import org.jspecify.annotations.NullMarked;
