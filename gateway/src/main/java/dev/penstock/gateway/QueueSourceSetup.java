package dev.penstock.gateway;

import dev.penstock.Source;
import dev.penstock.gateway.config.JmsFrom;
import dev.penstock.jms.JmsBroker;
import org.jspecify.annotations.Nullable;

/** Builds what takes the messages of a queue. Opens nothing. */
final class QueueSourceSetup {
    private QueueSourceSetup() {}

    static Source source(BuiltFlow flow, JmsFrom from, Doorway doorway, JmsBroker broker, @Nullable StatusBook book) {
        return java.util.Optional.<Source>empty().orElseThrow();
    }
}
