/**
 * The race {@code jdbc-idle}: a pool of database connections behind a middlebox that kills those that were idle.
 *
 * <pre>
 *   Bursts --> Contestant --> CountedDriver --> TcpSimulator --> PostgreSQL
 *   20 at once, then       a pool            counts looks    kills what is idle
 *   a pause                                                  for 5 s
 * </pre>
 *
 * <p>The origin's numbers are scaled by 360: 30 minutes became 5 s, and the settings of its pool with them.
 */
@NullMarked
package dev.penstock.races.jdbcidle;

import org.jspecify.annotations.NullMarked;
