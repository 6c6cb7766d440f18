/**
 * Assembles stages into a chain, in a fixed order:
 *
 * <pre>
 *   Source --> meter > deadline > dedupe > retry > collapse > breaker > limit > target
 *              counts  bounds     one      retries  many      stops     limits
 *              and     the whole  call     what is  requests, calls to  concurrent
 *              times   time       per key  safe     one call  a failing calls, queues
 *                                                             target    the rest
 * </pre>
 *
 * <p>So an attempt is measured without the time spent waiting in the flow; a batch takes one permit; a rejection by
 * the limit does not trip the breaker; a retry joins another batch and passes breaker and limit again. Start with
 * {@link dev.penstock.flow.Flow#named}.
 *
 * <h2>Design note</h2>
 *
 * <p>A stage on the path of every transaction wraps a service in a small class, not in a lambda. The JIT compiler inlines at
 * most 15 calls deep, and a lambda takes two or three levels. With lambdas the innermost stages were beyond that depth and
 * were not inlined.
 */
@NullMarked
package dev.penstock.flow;

import org.jspecify.annotations.NullMarked;
