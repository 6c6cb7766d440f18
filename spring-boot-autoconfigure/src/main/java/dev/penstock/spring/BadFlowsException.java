package dev.penstock.spring;

import dev.penstock.gateway.config.BadConfig;

/** Properties of {@code penstock} are not valid. The message has a line for each, with its name and origin. */
public final class BadFlowsException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    BadFlowsException(BadConfig bad) {
        super(bad.getMessage(), bad);
    }

    BadFlowsException(String problem) {
        super(problem);
    }
}
