/**
 * The values of a flow file as typed, immutable records, and what reads them from YAML.
 *
 * <pre>
 *   file --> FileText --> YamlTree --> ConfigMapping, ConfigValue --> FlowConfig, GatewayConfig
 *            (bytes)      (nodes with   (typed values,
 *                          line, column)  placeholders)
 * </pre>
 *
 * <p>Nothing here opens a port or a connection, or makes a DNS lookup. Every problem is one line, {@code
 * FILE:LINE:COLUMN: what is wrong; what to do}. All problems of a file are reported together, at most {@value
 * dev.penstock.gateway.config.BadConfig#MAX_PROBLEMS}. Messages never contain the substituted value of a placeholder: it
 * may be a secret.
 */
@NullMarked
package dev.penstock.gateway.config;

import org.jspecify.annotations.NullMarked;
