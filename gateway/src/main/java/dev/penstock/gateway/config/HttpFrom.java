package dev.penstock.gateway.config;

import dev.penstock.gateway.config.FlowConfig.From;
import java.time.Duration;

/**
 * An HTTP source.
 *
 * @param port the listen port; 1 to 65535, or 0 for any free port
 * @param host the listen address; default 127.0.0.1
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
    /** The loopback address: {@value}. */
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
