package dev.penstock.lab.probe;

import java.util.List;

/**
 * What to set, from what a {@link Probe} found: as advice, and as a flow file with a comment for each setting. Pure.
 *
 * @param findings what was found
 * @param to what kind of target it is about: not all know the same settings
 */
public record Recommendation(ProbeFindings findings, To to) {
    /** Kinds of targets. */
    public enum To {
        /** {@code to: { http: ... }}: {@code pool.idle} is when an idle connection is let go. */
        HTTP,
        /** {@code to: { jdbc: ... }}: {@code pool.idle} is the age at which the way kills. */
        JDBC,
        /** {@code to: { jms: ... }}: it has no pool to speak of. */
        JMS
    }

    /** The settings, in the order of the flow file; empty when nothing was found that asks for one. */
    public List<Advice> advice() {
        return List.of();
    }

    /**
     * A flow file with these settings.
     *
     * @param name of the flow
     * @param from what stands behind {@code from:}, on one line, for instance <code>{ http: { port: 8080, path: /v1 } }</code>
     * @param target what stands behind {@code to:}, on one line
     * @param batchUrl where the batches go, of a target that has a URL for them; empty for others: without it an HTTP flow does
     *     not collapse, and a comment says so
     * @return the file, with a line feed at its end
     */
    public String yaml(String name, String from, String target, String batchUrl) {
        return "flows:\n  %s:\n    from: %s\n    to: %s\n".formatted(name, from, target);
    }
}
