/** What a program shows of its flows: metrics, JMX, health, traces and the dashboard. Nothing here counts; all numbers are the flows' own. */
@NullMarked
package dev.penstock.observe;

import org.jspecify.annotations.NullMarked;
