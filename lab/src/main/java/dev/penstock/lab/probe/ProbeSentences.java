package dev.penstock.lab.probe;

import java.util.List;

/**
 * What a {@link Probe} found, in sentences with their numbers. It measures nothing.
 *
 * @param findings what was found
 */
public record ProbeSentences(ProbeFindings findings) {
    /** What was found, a sentence each, and then what was not looked for. */
    public List<String> lines() {
        return findings.skipped();
    }
}
