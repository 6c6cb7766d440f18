package dev.penstock.gateway;

import static dev.penstock.gateway.FlowSetup.given;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.JmsFrom;
import dev.penstock.http.HttpAnswer;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.jms.source.JmsSourceBuilder;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds the JMS source of a flow. Opens nothing. */
final class QueueSourceSetup {
    private static final Duration BACKOFF = Duration.ofMillis(200);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

    private QueueSourceSetup() {}

    static JmsSource source(
            BuiltFlow flow,
            JmsFrom from,
            StartGate startGate,
            JmsBroker broker,
            @Nullable StatusStore statuses,
            Path state) {
        Configured<String> word = from.key();
        String key = word == null ? null : PropertyNames.ofWord(word.value());
        JmsSourceBuilder source = JmsSource.at(broker).queue(from.queue().name().value());
        if (key != null) {
            source.key(key);
        } else if (flow.config().idempotent().value()) {
            source.key(JmsMessage.MESSAGE_ID);
        }
        source.attemptsIn(state.resolveSibling(
                state.getFileName() + ".attempts." + flow.config().name()));
        source.maxBody(from.maxBody().value());
        given(from.inFlight(), source::inFlight);
        given(from.deadLetter(), source::deadLetter);
        given(from.order(), order -> source.inOrder(PropertyNames.ofWord(order)));
        given(from.replyTo(), source::replyTo);
        given(from.by(), by -> source.by(ackMode(by)));
        redeliver(from.redeliver(), source);
        QueueHandler handler = new QueueHandler(flow.service(), key, statuses);
        return source.onEnded(handler)
                .replies(QueueSourceSetup::reply)
                .to(startGate.before(handler), flow.flow()::capacity);
    }

    private static void redeliver(JmsFrom.Redeliver redeliver, JmsSourceBuilder source) {
        given(redeliver.attempts(), source::redeliver);
        Configured<Duration> first = redeliver.backoff();
        Configured<Duration> max = redeliver.max();
        if (first == null && max == null) {
            return;
        }
        Duration longest = max == null ? MAX_BACKOFF : max.value();
        Duration shortest = first == null ? BACKOFF : first.value();
        source.backoff(
                first == null && shortest.compareTo(longest) > 0 ? longest : shortest,
                max == null && longest.compareTo(shortest) < 0 ? shortest : longest);
    }

    private static JmsSource.AckMode ackMode(JmsFrom.By by) {
        return switch (by) {
            case INDIVIDUAL -> JmsSource.AckMode.INDIVIDUAL;
            case BATCHES -> JmsSource.AckMode.BATCHES;
            case SESSIONS -> JmsSource.AckMode.SESSIONS;
        };
    }

    private static JmsMessage reply(Object answer) {
        return answer instanceof HttpAnswer http
                ? QueueMessages.message(http)
                : JmsMessage.text(String.valueOf(answer));
    }
}
