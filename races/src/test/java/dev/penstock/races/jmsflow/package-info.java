@NullMarked
package dev.penstock.races.jmsflow;

import org.jspecify.annotations.NullMarked;
