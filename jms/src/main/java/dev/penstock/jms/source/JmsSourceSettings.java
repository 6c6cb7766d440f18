package dev.penstock.jms.source;

import dev.penstock.LiveSetting;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The settings of a source, with their reasons. Safe for many threads. */
final class JmsSourceSettings {
    private final JmsSourceBuilder built;
    private final AckStrategyChoice ackStrategyChoice;
    private final LiveSetting inFlight;
    private final Instant since;

    JmsSourceSettings(JmsSourceBuilder built, PrefetchWindow prefetchWindow, AckStrategyChoice ackStrategyChoice) {
        this.built = built;
        this.ackStrategyChoice = ackStrategyChoice;
        this.inFlight = new LiveSetting("jms.in_flight", prefetchWindow::setting, built.wallClock());
        this.since = built.wallClock().instant();
    }

    List<Setting> all() {
        List<Setting> all = new ArrayList<>();
        all.add(inFlight.setting());
        all.add(new Setting(
                "jms.by",
                ackStrategyChoice.rung().name().toLowerCase(java.util.Locale.ROOT),
                "individual, batches, sessions",
                ackStrategyChoice.reason(),
                since,
                ackStrategyChoice.given() ? Origin.FILE : Origin.DEFAULT));
        String key = built.key();
        all.add(fixed(
                "jms.key",
                key == null ? "none" : key,
                "a property, or JMSMessageID",
                key == null
                        ? "what ends as unknown becomes a dead letter, as it may have taken effect"
                        : "what ends as unknown is tried again: the target, or dedupe, knows it by this"));
        all.add(fixed(
                "jms.redeliver",
                Integer.toString(built.redelivery().attempts()),
                "1..1000",
                "attempts of what failed, " + built.waits() + " apart; then it is a dead letter"));
        all.add(fixed(
                "jms.dead_letter", built.deadLetterQueue(), "a queue", "keeps what could not be carried, and why"));
        all.add(fixed(
                "jms.max_body",
                Long.toString(built.maxBody()),
                "1 or more bytes",
                "a message with a larger body becomes a dead letter, and is not read"));
        List<String> replyTo = built.replyTo();
        all.add(fixed(
                "jms.reply_to",
                replyTo == null ? "any" : String.join(", ", replyTo),
                "destinations, * for any characters",
                replyTo == null
                        ? "replies go wherever a message asks for one and the broker lets this user send"
                        : "a reply to any other destination is not sent, and counted in replies_lost"));
        String order = built.order();
        if (order != null) {
            all.add(fixed("jms.order", order, "a property", "messages of one value are carried one after the other"));
        }
        return all;
    }

    private Setting fixed(String name, String value, String range, String reason) {
        return new Setting(name, value, range, reason, since, Origin.DEFAULT);
    }
}
