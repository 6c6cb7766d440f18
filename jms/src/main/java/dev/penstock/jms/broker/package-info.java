/** An embedded Artemis broker, with its journal in a folder. */
@NullMarked
package dev.penstock.jms.broker;

import org.jspecify.annotations.NullMarked;
