package dev.penstock.gateway.config;

import dev.penstock.Durations;

/** Finds what is allowed of {@code dedupe}, but rarely meant. */
final class DedupeWarnings {
    private DedupeWarnings() {}

    static void check(FlowConfig flow, ConfigProblems doubts) {
        DedupeConfig dedupe = flow.dedupe();
        if (dedupe == null) {
            return;
        }
        if (dedupe.keep().value().compareTo(flow.deadline().value()) < 0) {
            doubts.add(
                    dedupe.keep().place(),
                    "'dedupe.keep' is %s, shorter than the deadline of %s, so who repeats a request that took so long may find its key forgotten, and is carried twice; keep keys for as long as clients may come again"
                            .formatted(
                                    Durations.words(dedupe.keep().value()),
                                    Durations.words(flow.deadline().value())));
        }
        CollapseConfig collapse = flow.collapse() instanceof CollapseConfig http ? http : null;
        RetryConfig retry = flow.retry();
        boolean told = flow.settle() != null || (retry != null && retry.key() != null);
        if (collapse != null && collapse.inBody() == null && !told) {
            doubts.add(
                    collapse.place(),
                    "requests of flow '" + flow.name() + "' with the header "
                            + dedupe.key().value()
                            + " go alone, since a batch cannot bear the header of each; if their bodies bear it too, add the member that does, for instance in_body: reference");
        }
    }
}
