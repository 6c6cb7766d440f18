/**
 * Dependencies that are slow and faulty on purpose, on a timeline, and that count what they received: so duplicates and
 * losses are known, not guessed.
 *
 * <pre>
 *   connection --> StrictRequestReader --> Behaviour (delay, error, cut?) --> answer, or cut
 *                       |                                                |
 *                       +------> SimulatorTally, ReceivedIds <--------------+
 *   FaultSchedule --> closes idle connections when a window opens
 * </pre>
 *
 * <p>Use {@link dev.penstock.lab.simulate.HttpSimulator} wherever a test, a race or a demo needs a dependency whose
 * behaviour is known. It binds to loopback and takes what any client sends; it is no server for real traffic.
 */
@NullMarked
package dev.penstock.lab.simulate;

import org.jspecify.annotations.NullMarked;
