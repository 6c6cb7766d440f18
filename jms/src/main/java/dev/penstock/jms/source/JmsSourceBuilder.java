package dev.penstock.jms.source;

import dev.penstock.Durations;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Collects what a source is told; everything but the queue has a default. Not safe for many threads. */
public final class JmsSourceBuilder {
    /** How often a message is tried unless told otherwise. */
    public static final int DEFAULT_ATTEMPTS = 5;

    /** The largest body of a message that is read unless told otherwise, in bytes: 1 MB. */
    public static final long DEFAULT_MAX_BODY = 1 << 20;

    /** How many messages can be allowed in hand at most. */
    public static final int MOST_IN_FLIGHT = PrefetchWindow.MOST_AUTOMATIC;

    /** Three times this is as long as a client of ours waits for a broker that does not answer. */
    private static final long REPLY_PATIENCE = 10_000_000_000L;

    private static final Duration FIRST_WAIT = Duration.ofMillis(200);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final JmsBroker broker;
    private final String queue;
    private int inFlight;
    private @Nullable String key;
    private int attempts = DEFAULT_ATTEMPTS;
    private Duration first = FIRST_WAIT;
    private Duration most = LONGEST_WAIT;
    private String deadLetters;
    private @Nullable String order;
    private JmsSource.@Nullable Rung rung;
    private JmsSource.@Nullable Ended listener;
    private @Nullable Function<Object, JmsMessage> replies;
    private @Nullable List<String> replyTo;
    private long replyPatience = REPLY_PATIENCE;
    private long maxBody = DEFAULT_MAX_BODY;
    private @Nullable Path attemptFile;
    private InstantSource wallClock = InstantSource.system();
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    JmsSourceBuilder(JmsBroker broker, String queue) {
        this.broker = broker;
        this.queue = named(queue);
        this.deadLetters = queue + ".DLQ";
    }

    /**
     * How many messages are in hand at most, received and not ended. Default: as many as the flow can carry at once, and an
     * eighth more; 500 where nothing bounds the flow.
     *
     * @param most 1 to 10,000
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder inFlight(int most) {
        if (most < 1 || most > MOST_IN_FLIGHT) {
            throw new IllegalArgumentException("in_flight is 1 to 10,000, not " + most);
        }
        inFlight = most;
        return this;
    }

    /**
     * What names a transaction, so that a message may be tried again when nobody knows what became of it: the target knows
     * it by that, or the flow's dedupe does. Default: none, and then such a message becomes a dead letter, as does one that
     * a process died over.
     *
     * @param name {@link JmsMessage#MESSAGE_ID}, or a property
     */
    public JmsSourceBuilder key(String name) {
        key = named(name);
        return this;
    }

    /**
     * How often a message is tried that failed, or whose ending is unknown and that bears a key. Default: {@value
     * #DEFAULT_ATTEMPTS}.
     *
     * @param times 1 to 1,000
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder redeliver(int times) {
        new Redelivery(times, first, most);
        attempts = times;
        return this;
    }

    /**
     * The wait before a message is tried again, which doubles with each time; of each wait up to half is left off by chance.
     * Default: 200 ms to 10 s. It waits in hand.
     *
     * @param shortest 0 or more
     * @param longest {@code shortest} or more
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder backoff(Duration shortest, Duration longest) {
        new Redelivery(attempts, shortest, longest);
        first = shortest;
        most = longest;
        return this;
    }

    /** The queue of dead letters. Default: the name of the queue and {@code .DLQ}. */
    public JmsSourceBuilder deadLetter(String name) {
        deadLetters = named(name);
        return this;
    }

    /**
     * Carries messages of one key one after the other, in the order of the queue. Default: in no order.
     *
     * @param property {@link JmsMessage#GROUP}, which a broker gives to one process at a time; or any other property, which
     *     holds within this process only, and on the rung {@link JmsSource.Rung#INDIVIDUAL} only
     */
    public JmsSourceBuilder inOrder(String property) {
        order = named(property);
        return this;
    }

    /** Takes a rung of the ladder, in place of the best that the client can do. */
    public JmsSourceBuilder by(JmsSource.Rung way) {
        rung = way;
        return this;
    }

    /** Is told how each message ended. Default: nobody. */
    public JmsSourceBuilder onEnded(JmsSource.Ended told) {
        listener = told;
        return this;
    }

    /**
     * The largest body that is read; a message with a larger one becomes a dead letter, unread. Default: {@value
     * #DEFAULT_MAX_BODY}.
     *
     * @param bytes 1 or more
     * @throws IllegalArgumentException when out of range
     */
    public JmsSourceBuilder maxBody(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("max_body is 1 byte or more, not " + bytes);
        }
        maxBody = bytes;
        return this;
    }

    /**
     * Notes in a file which messages are in process, so that the next process knows which ones this one died over: those are
     * processed one at a time, with nothing else beside them, and become dead letters after as many processes as there are
     * {@linkplain #redeliver attempts}, or at once when they bear no key. Default: none, and then only what the broker counts
     * is known, which may be nothing.
     *
     * @param file made when the source starts; a second process that names it takes the next of its name
     */
    public JmsSourceBuilder attemptsIn(Path file) {
        attemptFile = file;
        return this;
    }

    /**
     * Makes messages of answers, for who asked for one by JMSReplyTo. Default: an answer that is a message goes back as it
     * is, any other as its text.
     *
     * @param ofAnswer safe for many threads
     */
    public JmsSourceBuilder replies(Function<Object, JmsMessage> ofAnswer) {
        replies = ofAnswer;
        return this;
    }

    /**
     * Allows only some destinations for replies. A message that asks for a reply elsewhere is processed; its reply is not sent,
     * counted in {@code replies_lost} and logged. Default: all that the broker lets this client send to.
     *
     * @param names of queues or topics, temporary ones included, which a broker names; {@code *} stands for any characters, also
     *     none
     * @throws IllegalArgumentException when there is none, or one is blank
     */
    public JmsSourceBuilder replyTo(List<String> names) {
        if (names.isEmpty()) {
            throw new IllegalArgumentException("reply_to needs 1 name or more");
        }
        names.forEach(JmsSourceBuilder::named);
        replyTo = List.copyOf(names);
        return this;
    }

    /** How long the broker may take to confirm a reply, for tests. */
    JmsSourceBuilder replyPatience(Duration time) {
        replyPatience = Durations.nanos(time);
        return this;
    }

    /** Takes another clock for the since-when of settings, for tests. */
    JmsSourceBuilder wallClock(InstantSource clock) {
        wallClock = clock;
        return this;
    }

    /** Takes another source of randomness, for tests; safe for many threads. */
    JmsSourceBuilder random(RandomGenerator source) {
        random = source;
        return this;
    }

    /** A source of a flow, which receives what that can carry. Opens nothing yet. */
    public JmsSource to(Flow<JmsMessage, ?> flow) {
        return to(flow, flow::capacity);
    }

    /**
     * A source of anything that carries messages. Opens nothing yet.
     *
     * @param handler called on a virtual thread for each message; says how it ended as a {@link Service} does
     * @param capacity how many it can have in process at once, as {@link Flow#capacity()} tells; {@link Integer#MAX_VALUE}
     *     where nothing bounds it. Called often
     */
    public JmsSource to(Service<? super JmsMessage, ?> handler, IntSupplier capacity) {
        return new JmsSource(this, handler, capacity);
    }

    private static String named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a queue and a property have a name, and this one is blank");
        }
        return name;
    }

    JmsBroker broker() {
        return broker;
    }

    String queue() {
        return queue;
    }

    int inFlight() {
        return inFlight;
    }

    @Nullable
    String key() {
        return key;
    }

    Redelivery redelivery() {
        return new Redelivery(attempts, first, most);
    }

    String waits() {
        return Durations.words(first) + " to " + Durations.words(most);
    }

    String deadLetterQueue() {
        return deadLetters;
    }

    @Nullable
    String order() {
        return order;
    }

    JmsSource.@Nullable Rung rung() {
        return rung;
    }

    JmsSource.@Nullable Ended listener() {
        return listener;
    }

    @Nullable
    Function<Object, JmsMessage> replies() {
        return replies;
    }

    @Nullable
    List<String> replyTo() {
        return replyTo;
    }

    long replyPatience() {
        return replyPatience;
    }

    long maxBody() {
        return maxBody;
    }

    @Nullable
    Path attemptFile() {
        return attemptFile;
    }

    InstantSource wallClock() {
        return wallClock;
    }

    RandomGenerator random() {
        return random;
    }
}
