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
            flowError(
                    "a transaction is of one cluster, and of nothing else",
                    "from.kafka.transactional from.kafka.by from.kafka.url from.kafka.properties to dedupe",
                    KafkaRules::transactional),
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

    private static void transactional(FlowConfig flow, ConfigProblems problems) {
        if (!(flow.from() instanceof KafkaFrom from) || !from.transactional().value()) {
            return;
        }
        String why = null;
        if (from.isShared()) {
            why = "a share group has no transactions; write by: key";
        } else if (!(flow.to() instanceof KafkaTo to)) {
            why =
                    "the target is no topic, so its effects are in no transaction; remove it, and give a key that the target knows";
        } else if (!to.topic().servers().equals(from.topic().servers())) {
            why = "a transaction is of one cluster; write the same url in 'from.kafka' and 'to.kafka'";
        } else if (!from.topic()
                .properties()
                .entrySet()
                .containsAll(to.topic().properties().entrySet())) {
            why = "its producer has the properties of 'from.kafka'; repeat those of 'to.kafka' there";
        } else if (flow.dedupe() != null) {
            why = "'dedupe' would keep answers of what is rolled back; remove it";
        }
        if (why != null) {
            problems.add(
                    from.transactional().location(),
                    "'from.kafka.transactional' of flow '" + flow.name() + "' cannot be true: " + why);
        }
    }

    private static void withoutKey(FlowConfig flow, ConfigProblems warnings) {
        if (flow.from() instanceof KafkaFrom from
                && from.key() == null
                && !from.transactional().value()
                && !flow.idempotent().value()) {
            warnings.add(
                    from.topic().name().location(),
                    "records of flow '" + flow.name()
                            + "' have no idempotency key, so a record without an answer from the target goes to the dead-letter topic as unknown; if the target deduplicates by key, add for instance key: penstock_id");
        }
    }
}
