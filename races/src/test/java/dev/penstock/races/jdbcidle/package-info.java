@NullMarked
package dev.penstock.races.jdbcidle;

import org.jspecify.annotations.NullMarked;
