/** Shared by the races with a broker: a backlog that never runs dry, and the handler of all contestants. */
@NullMarked
package dev.penstock.races.messages;

import org.jspecify.annotations.NullMarked;
