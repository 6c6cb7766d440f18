@NullMarked
package dev.penstock.races.kafkaflow;

import org.jspecify.annotations.NullMarked;
