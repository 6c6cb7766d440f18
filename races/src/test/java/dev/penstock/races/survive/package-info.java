@NullMarked
package dev.penstock.races.survive;

import org.jspecify.annotations.NullMarked;
