@NullMarked
package dev.penstock.races.messages;

import org.jspecify.annotations.NullMarked;
