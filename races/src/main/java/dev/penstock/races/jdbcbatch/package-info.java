/**
 * The race {@code jdbc-batch}: many callers, each of which wants one row stored durably, and the libraries that combine
 * their commits.
 *
 * <pre>{@code
 *   ClosedLoad, OpenLoad --> ReportedOutcomes --> contestant --> CountedDriver --> PostgreSQL, production-like,
 *                               |                            counts commits,     killed during the run
 *                               |                            and their time      in one course
 *                               |                                        |
 *                               +---------> TableAudit <-----------------+
 *                                    lost rows, duplicates, and rows present though denied
 * }</pre>
 */
@NullMarked
package dev.penstock.races.jdbcbatch;

import org.jspecify.annotations.NullMarked;
