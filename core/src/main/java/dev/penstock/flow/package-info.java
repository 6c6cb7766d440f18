/**
 * Puts stages together into a chain, in the one order that is right:
 *
 * <pre>
 *   Source --> meter > deadline > retry > breaker > limit > target
 *              counts  bounds     repeats  cuts off  bounds what is
 *              and     the whole  what is  a dead    at the target,
 *              times   time       safe     target    others wait
 * </pre>
 *
 * <p>So an attempt is measured on its own, without a wait of ours; a rejection by the limit does not trip the breaker; a
 * repeat passes breaker and limit again. Begin with {@link dev.penstock.flow.Flow#named}.
 */
@NullMarked
package dev.penstock.flow;

import org.jspecify.annotations.NullMarked;
