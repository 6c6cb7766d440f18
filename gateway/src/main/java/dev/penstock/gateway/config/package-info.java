/**
 * From a flow file (YAML) to typed, immutable records, or to a list of what is wrong with it.
 *
 * <pre>
 *   file --> FileText --> YamlTree --> FlowFileReader --> GatewayConfig + warnings
 *            (bytes)      (nodes with   (typed values,      or BadConfig: every problem,
 *                          line, column)  placeholders)      sorted by line
 * </pre>
 *
 * <p>Start at {@link dev.penstock.gateway.config.FlowFile}. Nothing here opens a port or a connection, or looks up a name.
 * Every problem is one line, {@code FILE:LINE:COLUMN: what is wrong; what to do}, and all problems of a file are told
 * together, at most {@value dev.penstock.gateway.config.BadConfig#MOST_PROBLEMS} of them. What a placeholder was filled in
 * with is never part of a message: it may be a secret.
 */
@NullMarked
package dev.penstock.gateway.config;

import org.jspecify.annotations.NullMarked;
