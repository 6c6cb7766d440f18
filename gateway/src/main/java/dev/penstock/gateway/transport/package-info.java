/**
 * What a transport is to the gateway: {@link dev.penstock.gateway.transport.Transport} reads its keys of the flow file and
 * binds sources and targets. HTTP, databases, queues and UDP are one package each, beside this one, and the gateway knows
 * their types only through the interfaces here and in {@link dev.penstock.gateway.config.FlowConfig}.
 */
@NullMarked
package dev.penstock.gateway.transport;

import org.jspecify.annotations.NullMarked;
