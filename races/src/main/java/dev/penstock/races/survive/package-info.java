/**
 * Breaks the path between a flow and a real peer in every way that a schedule says, and counts what callers were told and what the
 * peer received. A seed gives a {@link dev.penstock.races.survive.FaultPlan}; an {@link dev.penstock.races.survive.Experiment} runs
 * it; an {@link dev.penstock.races.survive.Oracle} judges.
 *
 * <p>A new transport is one class that opens a {@link dev.penstock.races.survive.SystemUnderTest}, and a value of {@link
 * dev.penstock.races.survive.Subject}.
 */
@NullMarked
package dev.penstock.races.survive;

import org.jspecify.annotations.NullMarked;
