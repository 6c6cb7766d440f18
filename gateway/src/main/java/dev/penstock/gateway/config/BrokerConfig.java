package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * The network listener of the embedded broker, for other processes.
 *
 * @param location where it is in the file
 * @param host the address to listen on; 127.0.0.1 unless given
 * @param port 1 to 65535, or 0 for any free port
 * @param login credentials that every client needs, the flows of this gateway included; null lets every local client
 *     connect
 */
public record BrokerConfig(
        FileLocation location,
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
