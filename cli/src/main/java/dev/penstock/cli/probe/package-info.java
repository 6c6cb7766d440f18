/**
 * What {@code penstock probe} knows of transports: a {@link dev.penstock.lab.probe.ProbePeer} for each, and what was found as
 * settings of the libraries that people have.
 *
 * <pre>
 *   HttpPeer, JdbcPeer, JmsPeer, TcpPeer --> Probe (the lab's) --> ProbeFindings --> HikariLines, C3p0Lines, ...
 * </pre>
 */
@NullMarked
package dev.penstock.cli.probe;

import org.jspecify.annotations.NullMarked;
