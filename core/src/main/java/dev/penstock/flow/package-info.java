/**
 * Puts stages together into a chain, in the one order that is right:
 *
 * <pre>
 *   Source --> meter > deadline > dedupe > retry > collapse > breaker > limit > target
 *              counts  bounds     one for  repeats  many      cuts off  bounds what is
 *              and     the whole  each     what is  requests, a dead    at the target,
 *              times   time       key      safe     one call  target    others wait
 * </pre>
 *
 * <p>So an attempt is measured on its own, without a wait of ours; a batch takes one permit; a rejection by the limit does not
 * trip the breaker; a repeat goes in another batch, and passes breaker and limit again. Begin with {@link dev.penstock.flow.Flow#named}.
 *
 * <h2>Design note</h2>
 *
 * <p>Stages on the way of every transaction wrap a service by a small class of their own, not by a lambda. The JIT compiler
 * looks 15 calls deep; a lambda takes two or three of them, so that with lambdas the innermost stages lay below and were
 * called, not inlined.
 */
@NullMarked
package dev.penstock.flow;

import org.jspecify.annotations.NullMarked;
