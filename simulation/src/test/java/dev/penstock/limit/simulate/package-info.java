/**
 * The adversarial gate for whatever decides the limit: targets in virtual time, whose best limit is known in advance.
 *
 * <pre>
 *   Scenario: phases, each with its Behaviour, its load and its best limit
 *      |
 *      v
 *   World (events in virtual time) --> SimulatedFlow --> SimulatedTarget --> Station
 *                                      line, permits      delay, cap,         servers in turn,
 *                                      from a Tuner       faults              or shared by all
 *      |
 *      v
 *   Run of one tuner and of the oracle --> Score --> Gate, and the report that is committed
 * </pre>
 *
 * <p>A {@link dev.penstock.limit.simulate.Curve} is a scenario that is judged by figures instead, for several seeds; all are in
 * {@link dev.penstock.limit.simulate.Curves}, whose main method prints those of one contestant.
 *
 * <p>One thread, no clock, no waiting: an hour passes in a second or two, and the same seed gives the same figures. Every
 * tuner sees the same arrivals, and a transaction is the same work whichever tuner sends it.
 */
@NullMarked
package dev.penstock.limit.simulate;

import org.jspecify.annotations.NullMarked;
