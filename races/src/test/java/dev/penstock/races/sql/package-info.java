@NullMarked
package dev.penstock.races.sql;

import org.jspecify.annotations.NullMarked;
