package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * The admin server: dashboard, metrics and health.
 *
 * @param host the address to listen on; 127.0.0.1 unless given
 * @param port 1 to 65535, or 0 for any free port
 * @param token required to pin settings from another machine; null allows pinning from this machine only
 */
public record AdminConfig(
        Configured<String> host,
        Configured<Integer> port,
        @Nullable Configured<Secret> token) {}
