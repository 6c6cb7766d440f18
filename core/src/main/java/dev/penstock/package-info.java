/**
 * What users write against, with {@link dev.penstock.flow}: services and filters, the endings of a transaction, deadlines,
 * settings, the clock, the options of the stages, and what a flow reports. The stages are in packages that are not exported.
 *
 * <pre>
 *   Source --> Flow: meter > deadline > dedupe > retry > collapse > breaker > limit --> Target
 *              \______________ stages, each wrapped around the next ___________________/
 * </pre>
 *
 * <p>Start with {@link dev.penstock.flow.Flow}, the chain of stages, then read {@link dev.penstock.Ending} for the
 * accounting invariant.
 */
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
