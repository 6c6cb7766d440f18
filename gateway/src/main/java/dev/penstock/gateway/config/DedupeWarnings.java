package dev.penstock.gateway.config;

import dev.penstock.Durations;

/** Warns about {@code dedupe} settings that are valid but probably unintended. */
final class DedupeWarnings {
    private DedupeWarnings() {}

    static void check(FlowConfig flow, ConfigProblems warnings) {
        DedupeConfig dedupe = flow.dedupe();
        if (dedupe == null) {
            return;
        }
        if (dedupe.keep().value().compareTo(flow.deadline().value()) < 0) {
            warnings.add(
                    dedupe.keep().location(),
                    "'dedupe.keep' is %s, shorter than the deadline of %s, so a client that repeats a slow request may find its key expired and the request is executed twice; keep keys for as long as clients may retry"
                            .formatted(
                                    Durations.words(dedupe.keep().value()),
                                    Durations.words(flow.deadline().value())));
        }
        CollapseConfig collapse = flow.collapse() instanceof CollapseConfig http ? http : null;
        RetryConfig retry = flow.retry();
        boolean reference = flow.settle() != null || (retry != null && retry.key() != null);
        if (collapse != null && collapse.inBody() == null && !reference) {
            warnings.add(
                    collapse.location(),
                    "requests of flow '" + flow.name() + "' with the header "
                            + dedupe.key().value()
                            + " are not batched, because a batch cannot carry one header per request; if the request bodies contain the value too, name that JSON member, for instance in_body: reference");
        }
    }
}
