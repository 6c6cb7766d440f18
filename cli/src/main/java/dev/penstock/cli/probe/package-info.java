/**
 * The transports of {@code penstock probe}: a {@link dev.penstock.lab.probe.ProbePeer} for each, and the findings as
 * settings of common libraries.
 *
 * <pre>
 *   HttpPeer, JdbcPeer, JmsPeer, TcpPeer --> Probe (the lab's) --> ProbeFindings --> HikariLines, C3p0Lines, ...
 * </pre>
 */
@NullMarked
package dev.penstock.cli.probe;

import org.jspecify.annotations.NullMarked;
