/**
 * Reads a flow file: its structure, its stages, and the checks of all flows. Sources and targets are read by their
 * {@link dev.penstock.gateway.transport.Transport}.
 *
 * <pre>
 *   file --> ConfigMapping --> FlowFileReader --> FlowReader --> GatewayConfig + warnings
 *            (YAML with line,  (top level)        (one flow;     or BadConfig: every problem,
 *             column)                              transports)   sorted by line
 * </pre>
 *
 * <p>Start at {@link dev.penstock.gateway.file.FlowFile}. Nothing here opens a port or a connection, or makes a DNS lookup.
 */
@NullMarked
package dev.penstock.gateway.file;

import org.jspecify.annotations.NullMarked;
