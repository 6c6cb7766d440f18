/**
 * Reads a flow file (YAML) into typed, immutable records, or into a list of its problems.
 *
 * <pre>
 *   file --> FileText --> YamlTree --> FlowFileReader --> GatewayConfig + warnings
 *            (bytes)      (nodes with   (typed values,      or BadConfig: every problem,
 *                          line, column)  placeholders)      sorted by line
 * </pre>
 *
 * <p>Start at {@link dev.penstock.gateway.config.FlowFile}. Nothing here opens a port or a connection, or makes a DNS
 * lookup. Every problem is one line, {@code FILE:LINE:COLUMN: what is wrong; what to do}. All problems of a file are
 * reported together, at most {@value dev.penstock.gateway.config.BadConfig#MAX_PROBLEMS}. Messages never contain the
 * substituted value of a placeholder: it may be a secret.
 */
@NullMarked
package dev.penstock.gateway.config;

import org.jspecify.annotations.NullMarked;
