package dev.penstock.gateway.config;

import java.time.Duration;

/**
 * Requests over HTTP.
 *
 * @param port where it listens; 1 to 65535, or 0 for any free one
 * @param host the address it listens on; 127.0.0.1 unless given
 * @param path the path of its requests, for instance {@code /v1/payments}
 * @param maxBody the largest request body, in bytes; default 1 MB
 * @param headerTime how long a client may take to send its headers; default 10 s
 * @param bodyTime how long a client may take to send its body; default 30 s
 */
public record HttpFrom(
        Configured<Integer> port,
        Configured<String> host,
        Configured<String> path,
        Configured<Long> maxBody,
        Configured<Duration> headerTime,
        Configured<Duration> bodyTime)
        implements From {
    /** Where an address is only reached from this machine: {@value}. */
    static final String LOOPBACK = "127.0.0.1";

    @Override
    public String kind() {
        return "http";
    }

    @Override
    public String base() {
        return path.value();
    }
}
