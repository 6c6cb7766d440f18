package dev.penstock.jms.source;

import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.source.PrefetchWindow;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The settings of a source, with their reasons. Thread-safe. */
final class JmsSourceSettings {
    private final JmsSourceBuilder built;
    private final LiveSetting inFlight;
    private final Instant since;

    JmsSourceSettings(JmsSourceBuilder built, PrefetchWindow prefetchWindow) {
        this.built = built;
        this.inFlight = new LiveSetting("jms.in_flight", prefetchWindow::setting, InstantSource.system());
        this.since = Instant.now();
    }

    List<Setting> all() {
        List<Setting> all = new ArrayList<>();
        all.add(inFlight.setting());
        String key = built.key;
        all.add(
                fixed(
                        "jms.key",
                        key == null ? "none" : key,
                        "a property, or JMSMessageID",
                        key == null
                                ? "a message with an unknown outcome becomes a dead letter, since it may have taken effect"
                                : "a message with an unknown outcome is tried again: the target or dedupe recognizes it by this key"));
        all.add(fixed(
                "jms.redeliver",
                Integer.toString(built.redelivery.attempts()),
                "1..1000",
                "attempts for a failed message, " + built.redelivery.waits()
                        + " apart; then it becomes a dead letter"));
        all.add(fixed(
                "jms.dead_letter",
                built.deadLetterQueue(),
                "a queue",
                "receives messages that could not be processed, with the reason"));
        all.add(fixed(
                "jms.max_body",
                Long.toString(built.maxBody),
                "1 or more bytes",
                "a message with a larger body becomes a dead letter without being read"));
        Subscription from = built.subscription();
        if (!from.isQueue()) {
            all.add(fixed("jms.subscription", name(from), "a name, durable, shared", describe(from.kind())));
        }
        String selector = from.selector();
        if (selector != null) {
            all.add(fixed("jms.selector", selector, "a JMS selector", "only messages that match it are received"));
        }
        List<String> replyTo = built.replyTo;
        all.add(fixed(
                "jms.reply_to",
                replyTo == null ? "any" : String.join(", ", replyTo),
                "destinations, * for any characters",
                replyTo == null
                        ? "replies go to any destination to which the broker lets this user send"
                        : "replies to other destinations are not sent, and are counted in replies_lost"));
        String order = built.order;
        if (order != null) {
            all.add(fixed(
                    "jms.order",
                    order,
                    "a property",
                    "messages with the same value are processed one after the other"));
        }
        return all;
    }

    private static String name(Subscription from) {
        String kind = from.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return from.name() == null ? kind : from.name() + ", " + kind;
    }

    private static String describe(Subscription.Kind kind) {
        return switch (kind) {
            case QUEUE -> "";
            case PLAIN -> "messages published while this process is not connected are lost";
            case DURABLE -> "the broker keeps messages for it; one process receives them, others wait";
            case SHARED ->
                "processes with this name share the messages; those published while none is connected are lost";
            case SHARED_DURABLE -> "the broker keeps messages for it; processes with this name share them";
        };
    }

    private Setting fixed(String name, String value, String range, String reason) {
        return new Setting(name, value, range, reason, since, Origin.DEFAULT);
    }
}
