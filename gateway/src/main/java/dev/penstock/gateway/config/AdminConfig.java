package dev.penstock.gateway.config;

/**
 * Where the admin pages are.
 *
 * @param host the address to listen on; 127.0.0.1 unless given
 * @param port 1 to 65535, or 0 for any free one
 */
public record AdminConfig(Chosen<String> host, Chosen<Integer> port) {}
