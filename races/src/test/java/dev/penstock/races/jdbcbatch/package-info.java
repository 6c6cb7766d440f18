@NullMarked
package dev.penstock.races.jdbcbatch;

import org.jspecify.annotations.NullMarked;
