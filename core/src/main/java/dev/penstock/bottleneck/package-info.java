/**
 * Finds the bottleneck stage of a flow, and how to relieve it, from the measurements of its stages. Stateless except for recent
 * counts: counts go in, one sentence comes out.
 */
@NullMarked
package dev.penstock.bottleneck;

import org.jspecify.annotations.NullMarked;
