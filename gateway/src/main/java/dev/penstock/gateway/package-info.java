/**
 * Runs the flows of a flow file, and shuts them down without losing a transaction.
 *
 * <pre>
 *   FlowFile.read(path) --> GatewayConfig --> Gateway.start --> sources --> flows --> targets
 *    (file, or BadConfig)        |                               drain: stop accepting, finish, account
 *                                +--> GatewayPlan: what would run, as text
 * </pre>
 *
 * <p>{@link dev.penstock.gateway.file} reads the file into the records of {@link dev.penstock.gateway.config}. Each way in
 * or out is one package behind {@link dev.penstock.gateway.transport}: {@link dev.penstock.gateway.http}, {@link
 * dev.penstock.gateway.jdbc}, {@link dev.penstock.gateway.jms}, {@link dev.penstock.gateway.kafka}, {@link
 * dev.penstock.gateway.udp}. {@link dev.penstock.gateway.admin} is the admin server, and {@link dev.penstock.gateway.Gateway} runs the flows.
 */
@NullMarked
package dev.penstock.gateway;

import org.jspecify.annotations.NullMarked;
