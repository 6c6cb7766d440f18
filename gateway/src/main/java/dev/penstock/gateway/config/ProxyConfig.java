package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * The proxy in front of a target, reached over plain HTTP. https targets use a CONNECT tunnel.
 *
 * @param hostAndPort the address, for instance {@code proxy.example:3128} or {@code [::1]:3128}
 * @param login the credentials; null for none
 */
public record ProxyConfig(
        Configured<String> hostAndPort, @Nullable Login login) {
    /**
     * A user name and password.
     *
     * @param user without a colon
     * @param password may be empty
     */
    public record Login(String user, Secret password) {}
}
