package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * The proxy on the way to a target, which is asked over plain HTTP; for https, for a way through (CONNECT).
 *
 * @param hostAndPort where it is, for instance {@code proxy.example:3128} or {@code [::1]:3128}
 * @param login who asks; null when it asks for no name
 */
public record ProxyConfig(
        Configured<String> hostAndPort, @Nullable Login login) {
    /**
     * A name and its password.
     *
     * @param user without a colon
     * @param password may be empty
     */
    public record Login(String user, Secret password) {}
}
