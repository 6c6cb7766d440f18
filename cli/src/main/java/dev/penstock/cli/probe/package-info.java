/**
 * The transports of {@code penstock probe}: a {@link dev.penstock.lab.probe.ProbePeer} for each.
 *
 * <pre>
 *   HttpPeer, JdbcPeer, JmsPeer, TcpPeer --> Probe (the lab's) --> ProbeFindings --> SettingsText
 * </pre>
 */
@NullMarked
package dev.penstock.cli.probe;

import org.jspecify.annotations.NullMarked;
