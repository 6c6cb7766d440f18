/**
 * The race {@code jdbc-idle}: pools of database connections behind a middlebox that silently drops idle ones after some
 * time, or all of them at one moment.
 *
 * <pre>
 *   Bursts --> contestant --> CountedDriver --> TcpSimulator --> PostgreSQL
 *   10 transactions,     a pool          counts            drops
 *   then a pause                         validations       connections
 * </pre>
 *
 * <p>At real times: the clocks of the pools cannot be divided. So that this takes minutes and not hours, the contestants of a round
 * run side by side, each with a JVM and a middlebox of its own, and their bursts never coincide.
 */
@NullMarked
package dev.penstock.races.jdbcidle;

import org.jspecify.annotations.NullMarked;
