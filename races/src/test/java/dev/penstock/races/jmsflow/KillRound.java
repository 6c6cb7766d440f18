package dev.penstock.races.jmsflow;

import dev.penstock.Ticker;
import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.races.jmsflow.KilledConsumer.ConsumerProcess;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * One kill in the middle of a run, and its result.
 *
 * <p>Compares {@code redelivered}, the messages delivered to a handler although their effect had been reported
 * before, and {@code inFlight}, the value of {@link dev.penstock.jms.source.JmsSource#inFlight()} in the last line of
 * the consumer before the kill. Each line contains it, and there are thousands per second, so it is less than a
 * millisecond old. It does not count messages acknowledged by the source and not yet confirmed by the broker, because
 * nobody waits for the confirmation: the limit is therefore slightly stricter than what may be redelivered. A message
 * that the source itself recognises after the broker was killed is not delivered to a handler, and so does not count as
 * redelivered.
 *
 * @param who the killed process
 * @param sent the number of messages, all persistent
 * @param at the number of messages that had taken effect at the kill
 * @param inFlight the number of messages received and not acknowledged at the kill
 * @param redelivered the number of messages delivered again after they had taken effect
 * @param repeated the number of repeated effects: not caught by the dedupe
 * @param lost the number of messages that never took effect
 * @param deadLetters the number of messages in the dead-letter queue
 * @param seconds total time
 */
record KillRound(
        Who who,
        int sent,
        int at,
        int inFlight,
        int redelivered,
        int repeated,
        int lost,
        long deadLetters,
        double seconds) {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final long POLL_NANOS = 5_000_000;

    /** The process to kill. */
    enum Who {
        /** The consumer. */
        CONSUMER,
        /** The broker. */
        BROKER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Runs one round: kills at a random moment in the middle, restarts the killed process, and waits until the queue is
     * empty.
     *
     * @param broker with an empty queue
     * @param messages their number
     * @param seed of random choices
     */
    static KillRound run(BrokerProcess broker, Who who, int messages, long seed)
            throws IOException, JMSException, InterruptedException {
        long start = Ticker.SYSTEM.nanos();
        Effects effects = new Effects(messages);
        Path folder = Files.createTempDirectory("penstock-keys");
        ConsumerProcess consumer = null;
        try {
            Backlog.fill(broker.url(), messages, true);
            Path store = folder.resolve("keys");
            consumer = new ConsumerProcess(broker.url(), store, effects);
            await(effects, new SplittableRandom(seed).nextInt(messages / 5, messages * 4 / 5));
            int at;
            int inFlight;
            if (who == Who.CONSUMER) {
                consumer.kill();
                at = effects.done();
                inFlight = effects.inFlight();
                consumer = new ConsumerProcess(broker.url(), store, effects);
            } else {
                // Before the kill: the consumer survives, and the number it holds falls as soon as nothing arrives any
                // more.
                at = effects.done();
                inFlight = effects.inFlight();
                broker.kill();
                broker.restart();
            }
            await(effects, messages);
            awaitEmpty(broker);
            consumer.kill();
            return new KillRound(
                    who,
                    messages,
                    at,
                    inFlight,
                    effects.redelivered(),
                    effects.repeated(),
                    effects.lost(),
                    broker.count(Backlog.QUEUE + ".DLQ"),
                    (Ticker.SYSTEM.nanos() - start) / 1e9);
        } finally {
            if (consumer != null) {
                consumer.kill();
            }
            delete(folder);
        }
    }

    /** Waits until this many have taken effect; missing ones count as lost after a timeout. */
    private static void await(Effects effects, int most) {
        long until = Ticker.SYSTEM.nanos() + TIMEOUT.toNanos();
        while (effects.done() < most && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
        }
    }

    /** Waits until the queue is empty, so that all redeliveries have happened. */
    private static void awaitEmpty(BrokerProcess broker) throws IOException {
        long until = Ticker.SYSTEM.nanos() + TIMEOUT.toNanos();
        while (broker.count(Backlog.QUEUE) > 0 && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** The number of redelivered messages beyond those in flight; 0 unless the guarantee is violated. */
    int beyondInFlight() {
        return Math.max(0, redelivered - inFlight);
    }

    /** In one readable line. */
    String describe() {
        return String.format(
                Locale.ROOT,
                "%s killed at %,d of %,d, %d in flight: lost %d, redelivered %d, effects repeated %d, dead letters %d (%.1f s)",
                who.word(),
                at,
                sent,
                inFlight,
                lost,
                redelivered,
                repeated,
                deadLetters,
                seconds);
    }
}
