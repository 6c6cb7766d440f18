/**
 * Simulated dependencies with scheduled delays and faults, which count what they received, so that duplicates and
 * losses are measured exactly.
 *
 * <pre>{@code
 *   connection --> StrictRequestReader --> Behaviour (delay, error, cut?) --> answer, or cut
 *                       |                                                |
 *                       +------> SimulatorTally, ReceivedIds <--------------+
 *   FaultSchedule --> closes idle connections when a window opens
 * }</pre>
 *
 * <p>Use {@link dev.penstock.lab.simulate.HttpSimulator} wherever a test, a race or a demo needs a dependency with
 * known behaviour. It binds to loopback and accepts requests of any client; it is not a server for real traffic.
 */
@NullMarked
package dev.penstock.lab.simulate;

import org.jspecify.annotations.NullMarked;
