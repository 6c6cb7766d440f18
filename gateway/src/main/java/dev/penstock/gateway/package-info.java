/**
 * Runs the flows of a flow file, and shuts them down without losing a transaction.
 *
 * <pre>
 *   FlowFile.read(path) --> GatewayConfig --> Gateway.start --> sources --> flows --> targets
 *    (config, or BadConfig)      |                               drain: stop accepting, finish, account
 *                                +--> GatewayPlan: what would run, as text
 * </pre>
 *
 * <p>{@link dev.penstock.gateway.config} reads the file, {@link dev.penstock.gateway.migrate} converts settings of
 * older clients to a flow file, {@link dev.penstock.gateway.admin} is the admin server, and {@link
 * dev.penstock.gateway.Gateway} runs the flows with both.
 */
@NullMarked
package dev.penstock.gateway;

import org.jspecify.annotations.NullMarked;
