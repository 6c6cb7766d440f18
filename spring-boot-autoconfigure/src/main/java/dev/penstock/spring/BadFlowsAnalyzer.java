package dev.penstock.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows errors in properties in place of a stack trace. */
final class BadFlowsAnalyzer extends AbstractFailureAnalyzer<BadFlowsException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, BadFlowsException bad) {
        return new FailureAnalysis(String.valueOf(bad.getMessage()), "Correct these properties.", bad);
    }
}
