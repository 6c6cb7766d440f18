/** Keeps the long-lived threads and periodic tasks of a process running, and reports those that fail. */
@NullMarked
package dev.penstock.supervise;

import org.jspecify.annotations.NullMarked;
