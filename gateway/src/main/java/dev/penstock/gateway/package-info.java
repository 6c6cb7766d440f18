/**
 * From a flow file to running flows, and down again without losing a transaction.
 *
 * <pre>
 *   FlowFile.read(path) --> GatewayConfig --> Gateway.start --> sources --> flows --> targets
 *    (config, or BadConfig)      |                               drain: stop accepting, finish, account
 *                                +--> GatewayPlan: what would run, as text
 * </pre>
 *
 * <p>The rooms: {@link dev.penstock.gateway.config} reads the file, {@link dev.penstock.gateway.migrate} makes one of an older
 * client's settings, {@link dev.penstock.gateway.admin} shows what runs over HTTP, and {@link dev.penstock.gateway.Gateway} puts both around the flows.
 */
@NullMarked
package dev.penstock.gateway;

import org.jspecify.annotations.NullMarked;
