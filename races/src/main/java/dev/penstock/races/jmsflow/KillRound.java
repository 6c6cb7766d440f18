package dev.penstock.races.jmsflow;

import dev.penstock.Ticker;
import dev.penstock.jms.kit.BrokerProcess;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One kill in the middle of a run, and what came of it.
 *
 * <p>What is compared: {@code cameAgain}, the messages that a handler was given although their effect had been heard before,
 * with {@code inFlight}, what {@link dev.penstock.jms.source.JmsSource#inFlight()} was in the last line that the consumer
 * said before the kill. Each of its lines tells it, and there are thousands a second, so it is that of less than a
 * millisecond before. It does not count what the source had told the broker of and the broker had not confirmed, as nobody
 * waits for that: so the bound is a little stricter than what may come again. A message that the source itself recognises
 * after the broker was killed is given to no handler, and so has not come again.
 *
 * @param who was killed
 * @param sent how many messages there were, all persistent
 * @param at how many had taken effect at the kill
 * @param inFlight how many the consumer had received then and had not told the broker of
 * @param cameAgain how many were delivered again though they had taken effect
 * @param repeated how many of those took effect again: what the dedupe did not catch
 * @param lost how many never took effect
 * @param deadLetters how many went to the dead-letter queue
 * @param seconds how long all of it took
 */
record KillRound(
        Who who,
        int sent,
        int at,
        int inFlight,
        int cameAgain,
        int repeated,
        int lost,
        long deadLetters,
        double seconds) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final long LOOK_NANOS = 5_000_000;

    /** Which process gets kill -9. */
    enum Who {
        /** The one that consumes. */
        CONSUMER,
        /** The broker. */
        BROKER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Runs one: kills at a random moment in the middle, starts again what was killed, and waits until the queue is empty.
     *
     * @param messages how many
     * @param seed where chance begins
     */
    static KillRound run(Who who, int messages, long seed) throws IOException, JMSException, InterruptedException {
        try (BrokerProcess broker = BrokerProcess.start()) {
            return run(broker, who, messages, seed);
        }
    }

    /** The same at a broker whose queue is empty. */
    static KillRound run(BrokerProcess broker, Who who, int messages, long seed)
            throws IOException, JMSException, InterruptedException {
        long start = Ticker.SYSTEM.nanos();
        Effects effects = new Effects(messages);
        Path folder = Files.createTempDirectory("penstock-keys");
        ConsumerProcess consumer = null;
        try {
            Backlog.fill(broker.url(), messages, true);
            Path ledger = folder.resolve("keys");
            consumer = new ConsumerProcess(broker.url(), ledger, effects);
            await(effects, new SplittableRandom(seed).nextInt(messages / 5, messages * 4 / 5));
            int at;
            int inFlight;
            if (who == Who.CONSUMER) {
                consumer.kill();
                at = effects.done();
                inFlight = effects.inFlight();
                consumer = new ConsumerProcess(broker.url(), ledger, effects);
            } else {
                // Before the kill: the consumer lives on, and what it holds falls as soon as nothing comes any more.
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
                    effects.cameAgain(),
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

    /** Until so many have taken effect; what is missing after long enough counts as lost. */
    private static void await(Effects effects, int most) {
        long until = Ticker.SYSTEM.nanos() + PATIENCE.toNanos();
        while (effects.done() < most && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + LOOK_NANOS);
        }
    }

    /** Until nothing waits or is in flight, so that what comes again has come. */
    private static void awaitEmpty(BrokerProcess broker) throws IOException {
        long until = Ticker.SYSTEM.nanos() + PATIENCE.toNanos();
        while (broker.count(Backlog.QUEUE) > 0 && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + LOOK_NANOS);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** How many came again beyond those that were in flight; 0 unless the promise is broken. */
    int beyondInFlight() {
        return Math.max(0, cameAgain - inFlight);
    }

    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("lost", (double) lost);
        metrics.put("repeated", (double) repeated);
        metrics.put("came_again", (double) cameAgain);
        metrics.put("in_flight_at_kill", (double) inFlight);
        metrics.put("beyond_in_flight", (double) beyondInFlight());
        metrics.put("dead_letters", (double) deadLetters);
        metrics.put("killed_at", (double) at);
        return metrics;
    }

    /** In one line for people. */
    String words() {
        return String.format(
                Locale.ROOT,
                "%s killed at %,d of %,d, %d in flight: lost %d, came again %d, took effect again %d, dead letters %d (%.1f s)",
                who.word(),
                at,
                sent,
                inFlight,
                lost,
                cameAgain,
                repeated,
                deadLetters,
                seconds);
    }
}
