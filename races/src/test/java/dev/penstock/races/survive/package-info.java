/**
 * Injects faults into the path between a flow and a real peer, and compares the endings of calls with what the peer
 * received. A seed generates a {@link dev.penstock.races.survive.FaultPlan}; an
 * {@link dev.penstock.races.survive.Experiment} runs it; an {@link dev.penstock.races.survive.Oracle} evaluates the
 * rules.
 *
 * <p>To add a transport, write one class that opens a {@link dev.penstock.races.survive.SystemUnderTest}, and add a
 * value to {@link dev.penstock.races.survive.Subject}.
 */
@NullMarked
package dev.penstock.races.survive;

import org.jspecify.annotations.NullMarked;
