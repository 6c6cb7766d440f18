package dev.penstock.jms.source;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Source;
import dev.penstock.Unanswered;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a queue, as requests of a flow: never more in hand than the flow can carry, never stopped for that, and none
 * acknowledged before its transaction has ended.
 *
 * <pre>{@code
 * try (var source = JmsSource.at(JmsBroker.at("tcp://broker.example:61616"))
 *         .queue("payments")
 *         .key(JmsMessage.MESSAGE_ID)     // the target knows by it what it has done already
 *         .to(flow)) {
 *     source.start();
 *     ...
 * }
 * }</pre>
 *
 * <h2>What becomes of a message</h2>
 *
 * <ul>
 *   <li>Answered: acknowledged; before that the answer goes to who asked for one by JMSReplyTo, with his correlation id. A
 *       reply that the broker refuses is lost alone, and counted.
 *   <li>Rejected: it was never sent, so it waits in hand and is offered again.
 *   <li>Failed: offered again after a wait that doubles, in hand, up to a number of times; then, or at once when it was refused
 *       for good, it is a dead letter.
 *   <li>Unknown: the same when it bears a {@linkplain JmsSourceBuilder#key key}; otherwise a dead letter at once, as is a
 *       message without a key that a process died over. Nothing is sent twice blindly.
 * </ul>
 *
 * <p>A dead letter is the message with the properties {@code penstock_ending}, {@code penstock_cause}, {@code
 * penstock_reason}, {@code penstock_attempts}, {@code penstock_queue} and {@code penstock_message_id}. It is in its queue
 * before the message is acknowledged, so it may be there twice after a crash, and is never lost.
 *
 * <p>When the connection breaks, the source opens another, for ever, after waits of up to 5 s; what is still in process goes
 * on, and is recognised when the broker delivers it again. Safe for many threads.
 */
public final class JmsSource implements Source {
    /** Begins the reason of each message that a process died over. */
    public static final String PROCESS_DIED = "the process died while processing it";

    /** How messages are acknowledged; the best comes first. */
    public enum Rung {
        /** Each on its own, when it has ended, in one session. */
        INDIVIDUAL,
        /** Many in one transaction, which commits when all of them have ended. */
        BATCHES,
        /** Each in a transaction and a session of its own. */
        SESSIONS
    }

    /** Is told how messages ended, before the broker is. Safe for many threads. */
    @FunctionalInterface
    public interface Ended {
        /**
         * A message has ended: for good, unless the broker does not hear of it and delivers it again.
         *
         * @param answer what the target answered; null when it did not
         * @param why how it ended without an answer; null when it was answered
         * @throws Exception it could not be written down; told again a second later, and the broker is not told before
         */
        void ended(JmsMessage message, @Nullable Object answer, @Nullable Unanswered why) throws Exception;

        /**
         * What the target answered to a message that was delivered before. Default: the answer is not known.
         *
         * @param message without its body
         * @return the answer, and then the message is not sent again; null when it is not known to be answered
         * @throws Exception it could not be looked up; asked again a second later
         */
        default @Nullable Object answeredBefore(JmsMessage message) throws Exception {
            return null;
        }
    }

    /** A builder that has no queue yet. */
    public static final class Unnamed {
        private final JmsBroker broker;

        private Unnamed(JmsBroker broker) {
            this.broker = broker;
        }

        /**
         * Names the queue.
         *
         * @throws IllegalArgumentException when it is blank
         */
        public JmsSourceBuilder queue(String name) {
            return new JmsSourceBuilder(broker, name);
        }
    }

    private final JmsSourceBuilder built;
    private final JmsSourceCounts counts = new JmsSourceCounts();
    private final SourceStop stop = new SourceStop();
    private final PrefetchWindow prefetchWindow;
    private final AckStrategyChoice ackStrategyChoice;
    private final DeliveryAttempts attempts;
    private final MessageProcessor messageProcessor;
    private final SourceReplies replies;
    private final ReceiveLoop receiveLoop;
    private final JmsSourceSettings settings;

    JmsSource(JmsSourceBuilder built, Service<? super JmsMessage, ?> handler, IntSupplier capacity) {
        this.built = built;
        this.prefetchWindow = new PrefetchWindow(built.inFlight(), capacity);
        this.ackStrategyChoice = AckStrategyChoice.of(built.rung(), built.broker().kind()).keeping(built.order());
        this.attempts = new DeliveryAttempts(built.attemptFile());
        MessageHandling handling = new MessageHandling(built, handler, attempts, prefetchWindow, stop, counts);
        this.replies = new SourceReplies(built, prefetchWindow, stop, counts);
        this.messageProcessor = new MessageProcessor(built, prefetchWindow, handling, replies, attempts, stop, counts);
        this.receiveLoop = new ReceiveLoop(built.broker(), built.queue(), messageProcessor, ackStrategyChoice, stop);
        this.settings = new JmsSourceSettings(built, prefetchWindow, ackStrategyChoice);
    }

    /** A source at a broker. */
    public static Unnamed at(JmsBroker broker) {
        return new Unnamed(broker);
    }

    @Override
    public String where() {
        return "jms queue " + built.queue() + " at " + built.broker().where();
    }

    /**
     * Begins to receive. A broker that cannot be reached is tried again for ever; what cannot be mended by waiting is told
     * at once.
     *
     * @throws IOException the URL cannot be read, the broker will not let this client in, or the file of attempts cannot be
     *     opened
     */
    @Override
    public void start() throws IOException {
        attempts.open();
        receiveLoop.start();
    }

    /** Receives nothing more. What is in process goes on; what waits for another attempt is given back. */
    @Override
    public void stopAccepting() {
        stop.ask();
    }

    /** Lets go of the broker, which gives all that has not ended to somebody else. Does nothing the second time. */
    @Override
    public void close() {
        stop.ask();
        receiveLoop.close();
        replies.close();
        attempts.close();
    }

    /** Why no messages come: the connection, or the queue at the broker, is lost. Null while they come. */
    @Override
    public @Nullable String outage() {
        String why = messageProcessor.outage();
        return why == null
                ? null
                : (messageProcessor.isLost() ? "no messages from " : "") + built.queue() + " at "
                        + built.broker().where() + ": " + why;
    }

    /** Which rung of the ladder it is on. */
    public Rung rung() {
        return ackStrategyChoice.rung();
    }

    /** How many messages are in hand: received, and not ended. */
    public int inFlight() {
        return prefetchWindow.inHand();
    }

    /** The most that were in hand at once so far. */
    public int inFlightMax() {
        return prefetchWindow.mostInHand();
    }

    /** Its settings as they are now. */
    public List<Setting> settings() {
        return settings.all();
    }

    /** How many connections it has ({@code open}), and how many it ever opened ({@code opened}). */
    public Map<String, Long> connections() {
        return receiveLoop.connections();
    }

    /**
     * What it has done so far: {@code received}, {@code acknowledged} (dead letters included), {@code tried_again}, {@code
     * dead_letters}, {@code given_back}, {@code recognised} (delivered again while this process knew them), {@code replies},
     * {@code replies_lost} (the broker did not take it, its destination is not {@linkplain JmsSourceBuilder#replyTo allowed}, or no
     * message can carry the answer).
     */
    public Map<String, Long> counts() {
        return counts.all();
    }

    @Override
    public String toString() {
        return where();
    }
}
