package dev.penstock.gateway.config;

/**
 * Where other processes reach the broker of this one.
 *
 * @param place where the file asks for it
 * @param host the address to listen on; 127.0.0.1 unless given
 * @param port 1 to 65535, or 0 for any free one
 */
public record BrokerConfig(Place place, Chosen<String> host, Chosen<Integer> port) {}
