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
 * <p>At real times: the clocks of the pools cannot be divided.
 */
@NullMarked
package dev.penstock.races.jdbcidle;

import org.jspecify.annotations.NullMarked;
