/**
 * The race {@code jdbc-batch}: many callers, each of whom wants one row written and kept, and what puts their commits together.
 *
 * <pre>
 *   ClosedLoad, OpenLoad --> Books --> Contestant --> CountedDriver --> PostgreSQL, as in earnest
 *                            who was              counts commits,    killed in mid-run
 *                            told what            and their time     in one course
 *                               |                                        |
 *                               +------------> Audit <-------------------+
 *                                    what is lost, there twice, or there though it was denied
 * </pre>
 */
@NullMarked
package dev.penstock.races.jdbcbatch;

import org.jspecify.annotations.NullMarked;
