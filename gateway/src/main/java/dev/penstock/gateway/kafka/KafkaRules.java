package dev.penstock.gateway.kafka;

import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.Rule;
import java.util.List;

/** What must hold between the keys of topics and others. */
final class KafkaRules {
    static final List<Rule<?>> ALL = List.of(
            flowError(
                    "a dead letter leaves its topic",
                    "from.kafka.dead_letter from.kafka.topic",
                    KafkaRules::deadLetter),
            flowWarning("a record has a key", "from.kafka.key idempotent", KafkaRules::withoutKey));

    private KafkaRules() {}

    private static void deadLetter(FlowConfig flow, ConfigProblems problems) {
        if (flow.from() instanceof KafkaFrom from
                && from.deadLetter() != null
                && from.deadLetter().value().equals(from.topic().name().value())) {
            problems.add(
                    from.deadLetter().location(),
                    "'from.kafka.dead_letter' is the source topic itself; give another topic");
        }
    }

    private static void withoutKey(FlowConfig flow, ConfigProblems warnings) {
        if (flow.from() instanceof KafkaFrom from
                && from.key() == null
                && !flow.idempotent().value()) {
            warnings.add(
                    from.topic().name().location(),
                    "records of flow '" + flow.name()
                            + "' have no idempotency key, so a record without an answer from the target goes to the dead-letter topic as unknown; if the target deduplicates by key, add for instance key: penstock_id");
        }
    }
}
