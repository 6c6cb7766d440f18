/**
 * The basic types: services and filters, the endings of a transaction, deadlines, settings and the clock. Every other package
 * imports this one; it imports none of them.
 *
 * <pre>
 *   Source --> Flow: meter > deadline > dedupe > retry > collapse > breaker > limit --> Target
 *              \______________ stages, each wrapped around the next ___________________/
 * </pre>
 *
 * <p>Start with {@link dev.penstock.flow.Flow}, the chain of stages, then read {@link dev.penstock.Ending} for the accounting
 * invariant.
 */
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
