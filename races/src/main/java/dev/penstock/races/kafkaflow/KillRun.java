package dev.penstock.races.kafkaflow;

import dev.penstock.Ticker;
import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.program.Programs;
import dev.penstock.lab.race.BlockResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.Producer;

/**
 * A broker and the consumer of a contestant, each in its own process. They are killed in turns, and started again. For one
 * thread, which also sends the records.
 */
final class KillRun implements AutoCloseable {
    /** The number of records that are sent and have not taken effect: as many may be in flight. */
    static final int BACKLOG = 100;

    /** The time from the recovery to the next kill, in which handlers that began together are spread. */
    static final Duration SHORTEST_REST = Duration.ofSeconds(1);

    static final Duration LONGEST_REST = Duration.ofSeconds(3);

    /** Longer than handlers take, renewals included; shorter than the session of a dead consumer. */
    private static final String LOCK_MILLIS = "3000";

    /** The process is killed after seconds: a fast start matters more than peak performance. */
    private static final List<String> FAST_START = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final long POLL_NANOS = 5_000_000;

    private final String contestant;
    private final KafkaBroker broker;
    private final SplittableRandom random;
    private final EffectLog log;
    private Producer<byte[], byte[]> producer;
    private Process consumer;
    private int sent;
    private boolean isEnding;

    private KillRun(String contestant, long seed, KafkaBroker broker) throws IOException {
        this.contestant = contestant;
        this.broker = broker;
        this.random = new SplittableRandom(seed);
        this.log = new EffectLog(Files.createFile(broker.folder().resolve(KilledConsumerMain.LOG)));
        this.producer = Topic.producer(broker.servers());
        this.consumer = start(contestant, broker);
    }

    /** Kills that often: first the consumer, then the broker, and so on. */
    static BlockResult of(String contestant, long seed, int kills) throws Exception {
        try (KafkaBroker broker = Topic.broker()) {
            broker.configureGroup(Topic.SHARE_GROUP, Map.of("share.record.lock.duration.ms", LOCK_MILLIS));
            try (KillRun run = new KillRun(contestant, seed, broker)) {
                return run.kill(kills);
            }
        }
    }

    private static Process start(String contestant, KafkaBroker broker) throws IOException {
        List<String> options = new ArrayList<>(FAST_START);
        options.addAll(KafkaFlowContestants.ALL.entry(contestant).jvmOptions());
        Path folder = broker.folder();
        return Programs.started(
                ChildJvm.command(options, KilledConsumerMain.class, contestant, broker.servers(), folder.toString()),
                folder.resolve("consumer"));
    }

    private BlockResult kill(int kills) throws Exception {
        boolean isRecovered = until(log::isRecovered);
        int kill = 0;
        for (; isRecovered && kill < kills; kill++) {
            long next = Ticker.SYSTEM.nanos() + random.nextLong(SHORTEST_REST.toNanos(), LONGEST_REST.toNanos());
            boolean _ = until(() -> Ticker.SYSTEM.nanos() - next >= 0);
            if (kill % 2 == 0) {
                killConsumer();
                consumer = start(contestant, broker);
            } else {
                producer.close(); // all that is sent is in the topic
                killBroker();
                broker.restart();
                producer = Topic.producer(broker.servers());
            }
            isRecovered = until(log::isRecovered);
        }
        isEnding = true;
        boolean isEmpty = isRecovered && until(() -> log.done() == sent);
        Programs.kill(consumer);
        log.read();
        BitSet left = isEmpty
                ? new BitSet()
                : Topic.left(broker.servers(), KafkaFlowContestants.group(contestant), log::isDone);
        return new BlockResult(
                log.metrics(sent, left::get),
                Map.of(),
                null,
                isEmpty
                        ? null
                        : "%,d of %,d records had no effect %d s after kill %d; %,d of them are still in the topic"
                                .formatted(sent - log.done(), sent, TIMEOUT.toSeconds(), kill, left.cardinality()));
    }

    private void killConsumer() throws IOException {
        Programs.kill(consumer);
        log.read();
        log.killed();
    }

    /** What is in a handler may end before the broker does. */
    private void killBroker() throws IOException {
        log.read();
        log.interrupt();
        broker.kill();
        log.read();
        log.killed();
    }

    /** Sends records until a condition holds; false when it does not within {@link #TIMEOUT}. */
    private boolean until(BooleanSupplier condition) throws IOException, InterruptedException {
        long timeout = Ticker.SYSTEM.nanos() + TIMEOUT.toNanos();
        log.read();
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the race was stopped");
            }
            if (Ticker.SYSTEM.nanos() - timeout > 0) {
                return false;
            }
            for (int due = isEnding ? 0 : log.done() + BACKLOG; sent < due; sent++) {
                var _ = producer.send(Topic.record(sent));
            }
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
            log.read();
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        Programs.kill(consumer);
        producer.close();
        log.close();
    }
}
