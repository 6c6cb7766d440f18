package dev.penstock.jms.source;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.MessageMapper;
import dev.penstock.jms.ReplySender;
import dev.penstock.jms.source.HeldMessage.MessageOutcome;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceStop;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the replies of a source, each on the thread of its message and before the message is acknowledged. Thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>If replies were part of the transaction that acknowledges, one reply refused by the broker would roll back all
 * others, again and again; and an address that blocks senders would block the receiving thread. So a reply is sent
 * separately. A refused reply is lost. An unconfirmed reply is sent again with the same duplicate id, {@value #TRIES}
 * times while the broker is reachable; then it is lost too, and so are further replies to that destination for a while,
 * so that they do not wait for it as well.
 */
final class SourceReplies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JmsSource.class);
    private static final int TRIES = 3;
    private static final long PAUSE = 100_000_000;
    private static final long SECOND = 1_000_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final int MAX_ENTRIES = 1_000;

    private final ReplySender sender;
    private final @Nullable Pattern allowed;
    private final long timeout;
    private final String replyId;
    private final PrefetchWindow prefetchWindow;
    private final SourceStop stop;
    private final JmsSourceCounts counts;
    private final Map<String, Long> unusable = bounded();
    private final Map<String, Long> logged = bounded();
    private long lastLogged = Ticker.SYSTEM.nanos() - MINUTE;

    SourceReplies(JmsSourceBuilder built, PrefetchWindow prefetchWindow, SourceStop stop, JmsSourceCounts counts) {
        this.sender = new ReplySender(built.broker);
        this.allowed = built.replyTo == null ? null : pattern(built.replyTo);
        this.timeout = built.replyTimeout;
        this.replyId = built.subscription().replyId();
        this.prefetchWindow = prefetchWindow;
        this.stop = stop;
        this.counts = counts;
    }

    private static Pattern pattern(List<String> names) {
        return Pattern.compile(names.stream()
                .map(name -> Pattern.quote(name).replace("*", "\\E.*\\Q"))
                .collect(Collectors.joining("|")));
    }

    private static Map<String, Long> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
                return size() > MAX_ENTRIES;
            }
        };
    }

    /**
     * Sends the reply of an outcome, if any.
     *
     * @param isLost whether the broker is unreachable, so that a failure says nothing about the reply
     * @return the outcome without the reply
     */
    MessageOutcome send(HeldMessage held, MessageOutcome outcome, BooleanSupplier isLost) {
        return switch (outcome) {
            case MessageOutcome.Done(JmsMessage reply)
            when reply != null ->
                sent(held, reply, "", isLost) ? new MessageOutcome.Done(null) : new MessageOutcome.GivenBack(true);
            case MessageOutcome.Dead(Unanswered why, int attempts) ->
                sent(held, DeadLetterSender.ending(JmsMessage.text(""), why, attempts), why.ending(), isLost)
                        ? outcome
                        : new MessageOutcome.GivenBack(true);
            default -> outcome;
        };
    }

    /** Returns false when the source stops before the reply was sent or lost. */
    private boolean sent(HeldMessage held, JmsMessage reply, String ending, BooleanSupplier isLost) {
        String name = "";
        try {
            Message request = held.message();
            Destination to = request.getJMSReplyTo();
            if (to == null) {
                return true;
            }
            name = name(to);
            if (allowed != null && !allowed.matcher(name).matches()) {
                lost(name, "the destination is not in reply_to of this source");
                return true;
            }
            String id = MessageMapper.id(request);
            return sent(
                    new Reply(
                            to,
                            name,
                            answering(request, reply),
                            id == null ? null : "reply-" + ending + replyId + id,
                            request.getJMSDeliveryMode(),
                            request.getJMSPriority()),
                    isLost);
        } catch (Throwable unsendable) { // also an Error of the client: the message is done
            lost(name, unsendable.toString());
            return true;
        }
    }

    private record Reply(
            Destination to,
            String name,
            JmsMessage message,
            @Nullable String id,
            int mode,
            int priority) {}

    private boolean sent(Reply reply, BooleanSupplier isLost) {
        int tries = 0;
        while (true) {
            if (isUnusable(reply.name())) {
                lost(reply.name(), "earlier replies to it were not confirmed in time");
                return true;
            }
            Unanswered why = trySend(reply);
            if (why == null) {
                counts.replies.increment();
                return true;
            }
            if (why instanceof Failed refused && refused.why() != Failed.Cause.CONNECT) {
                lost(reply.name(), String.valueOf(why.getMessage()));
                return true;
            }
            tries += isLost.getAsBoolean() ? 0 : 1;
            if (tries >= TRIES) {
                if (why instanceof Unknown late && late.why() == Unknown.Cause.TIMEOUT) {
                    markUnusable(reply.name());
                }
                lost(reply.name(), String.valueOf(why.getMessage()));
                return true;
            }
            if (stop.awaitStop(PAUSE << tries)) {
                return false;
            }
        }
    }

    private @Nullable Unanswered trySend(Reply reply) {
        prefetchWindow.startWaiting();
        try {
            sender.send(reply.to(), reply.message(), reply.id(), reply.mode(), reply.priority(), timeout);
            return null;
        } catch (Unanswered why) {
            return why;
        } finally {
            prefetchWindow.stopWaiting();
        }
    }

    private boolean isUnusable(String name) {
        synchronized (unusable) {
            Long until = unusable.get(name);
            return until != null && Ticker.SYSTEM.nanos() - until < 0;
        }
    }

    private void markUnusable(String name) {
        synchronized (unusable) {
            unusable.put(name, Ticker.SYSTEM.nanos() + MINUTE);
        }
    }

    /**
     * Logs at most once a minute for each destination, and once a second in all, since the senders of requests choose
     * the names.
     */
    private void lost(String name, String why) {
        counts.repliesLost.increment();
        long now = Ticker.SYSTEM.nanos();
        synchronized (logged) {
            Long last = logged.get(name);
            if (now - lastLogged < SECOND || (last != null && now - last < MINUTE)) {
                return;
            }
            lastLogged = now;
            logged.put(name, now);
        }
        LOG.warn("reply to {} not sent, its message is acknowledged anyway (counted in replies_lost): {}", name, why);
    }

    private static String name(Destination to) throws JMSException {
        String name = to instanceof Queue queue ? queue.getQueueName() : null;
        return name == null && to instanceof Topic topic ? topic.getTopicName() : String.valueOf(name);
    }

    /** The correlation id is that of the request, or else the id of the request (JMS 3.1, section 3.4.5). */
    private static JmsMessage answering(Message request, JmsMessage reply) throws JMSException {
        String given = request.getJMSCorrelationID();
        return reply.withCorrelationId(given == null ? MessageMapper.id(request) : given);
    }

    @Override
    public void close() {
        sender.close();
    }
}
