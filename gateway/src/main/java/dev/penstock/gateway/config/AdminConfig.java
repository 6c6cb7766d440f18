package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * Where the admin pages are.
 *
 * @param host the address to listen on; 127.0.0.1 unless given
 * @param port 1 to 65535, or 0 for any free one
 * @param token lets whoever has it pin settings from another machine; null when only this machine may
 */
public record AdminConfig(
        Configured<String> host, Configured<Integer> port, @Nullable Configured<Secret> token) {}
