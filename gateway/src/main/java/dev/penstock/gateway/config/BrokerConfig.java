package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * Where other processes reach the broker of this one.
 *
 * @param place where the file asks for it
 * @param host the address to listen on; 127.0.0.1 unless given
 * @param port 1 to 65535, or 0 for any free one
 * @param login what whoever connects signs in with, also the flows of this gateway; null when anybody of this machine may
 */
public record BrokerConfig(
        FileLocation place,
        Configured<String> host,
        Configured<Integer> port,
        @Nullable Login login) {
    /**
     * A user and a password.
     *
     * @param user 1 character or more
     * @param password 1 character or more
     */
    public record Login(String user, Secret password) {}
}
