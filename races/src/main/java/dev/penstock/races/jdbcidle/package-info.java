/**
 * The race {@code jdbc-idle}: pools of database connections behind a middlebox that kills idle ones.
 *
 * <pre>
 *   Bursts --> contestant --> CountedDriver --> TcpSimulator --> PostgreSQL
 *   20 transactions,     a pool          counts            kills connections
 *   then a pause                         validations       idle for 5 s
 * </pre>
 *
 * <p>The original service's numbers are scaled by 360: 30 minutes became 5 s, and its pool settings accordingly.
 */
@NullMarked
package dev.penstock.races.jdbcidle;

import org.jspecify.annotations.NullMarked;
