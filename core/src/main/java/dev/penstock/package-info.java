/**
 * The words of Penstock, and nothing that runs: what a service is, how a transaction may end, what it carries on its
 * way, and where time comes from. Every other package imports this one; it imports none of them.
 *
 * <pre>
 *   Source --> Flow: meter > deadline > dedupe > retry > collapse > breaker > limit --> Target
 *              \__________________ stages, each a Filter around the next ______________/
 * </pre>
 *
 * <p>Start at {@link dev.penstock.flow.Flow}, which puts a chain together, then {@link dev.penstock.Ending} for the law
 * that every flow keeps.
 */
@NullMarked
package dev.penstock;

import org.jspecify.annotations.NullMarked;
