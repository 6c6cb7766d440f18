package dev.penstock.races.kafkaflow;

import dev.penstock.Ticker;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.PlannedCourse;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.Producer;

/** Records arrive one by one; from some time on, those of one key take 10 s. How long do the others take? */
final class SlowKeyCourse extends PlannedCourse {
    private static final int PER_SECOND = 100;
    private static final int SLOW_KEY = 0;
    private static final int SLOW_MILLIS = 10_000;
    private static final int MILLIS = 20;

    SlowKeyCourse() {
        super(
                "slow-key",
                KafkaFlowContestants.ALL.without(KafkaFlowContestants.LOOP, ConsumeCourse.UNTHROTTLED),
                "p99_ms lost duplicates",
                "p50_ms p99_ms calm_p99_ms of_calm lost duplicates");
        // A calm time of 15 s, of which 5 warm up; then 25 s in which the slow key comes twice.
        lasts(LoadTimes.ofMillis(15_000, 25_000), LoadTimes.ofMillis(15_000, 10_000), Duration.ofSeconds(35));
        rounds(3);
        goals(GoalRule.none("lost", "duplicates"), GoalRule.most("of_calm", 1.2));
    }

    private int records(Effort effort) {
        return (int) (times(effort).lasting().toSeconds() * PER_SECOND);
    }

    private int calm(Effort effort) {
        return (int) (times(effort).warmUp().toSeconds() * PER_SECOND);
    }

    @Override
    public String workload(Effort effort) {
        return PER_SECOND + " records/s with 1,000 keys in turn, handlers take " + MILLIS + " ms; after "
                + times(effort).warmUp().toSeconds() + " s those of one key take " + SLOW_MILLIS / 1_000
                + " s; the times are those of the others, from record to end";
    }

    @Override
    public Scene open(Block block) throws Exception {
        return new Arrivals(records(block.effort()));
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        int sent = records(block.effort());
        int calm = calm(block.effort());
        SlowKeyWork handling = new SlowKeyWork(sent, calm);
        String url = required(cue.parameters(), ConsumeCourse.URL);
        try (MessageConsumer _ = KafkaFlowContestants.ALL.named(block.entry()).at(url, handling)) {
            cue.ready();
            long until = Ticker.SYSTEM.nanos() + times(block.effort()).lasting().toNanos() + SLOW_MILLIS * 2_000_000L;
            while (handling.ended() < sent && Ticker.SYSTEM.nanos() - until < 0) {
                Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + 10_000_000);
            }
        }
        handling.awaitIdle();
        Histogram before = new Histogram(3);
        Histogram after = new Histogram(3);
        int lost = 0;
        for (byte[] value : Topic.all(url)) {
            int number = Topic.number(value);
            lost += handling.times(number) == 0 ? 1 : 0;
            if (number % Topic.KEYS != SLOW_KEY && number >= calm / 3 && handling.times(number) > 0) {
                (number < calm ? before : after).recordValue(handling.endOf(number) - Topic.created(value));
            }
        }
        double calmP99 = before.getValueAtPercentile(99) / 1e6;
        double p99 = after.getValueAtPercentile(99) / 1e6;
        return new BlockResult(
                Map.of(
                        "p50_ms",
                        after.getValueAtPercentile(50) / 1e6,
                        "p99_ms",
                        p99,
                        "calm_p99_ms",
                        calmP99,
                        "of_calm",
                        p99 / calmP99,
                        "lost",
                        (double) lost,
                        "duplicates",
                        (double) handling.repeated()),
                Map.of(),
                null,
                null);
    }

    /** The times of its ends can be compared with those of the records' creation: of all processes of a machine. */
    private static final class SlowKeyWork extends MessageWork {
        private final int slowFrom;
        private final AtomicLongArray ends;

        SlowKeyWork(int sent, int slowFrom) {
            super(new HandlerTime(MILLIS, MILLIS), 0, sent);
            this.slowFrom = slowFrom;
            this.ends = new AtomicLongArray(sent);
        }

        @Override
        protected int millis(int number) {
            return number >= slowFrom && number % Topic.KEYS == SLOW_KEY ? SLOW_MILLIS : super.millis(number);
        }

        @Override
        protected void done(int number) {
            ends.set(number, System.nanoTime());
        }

        long endOf(int number) {
            return ends.get(number);
        }
    }

    /** A broker, and a producer that sends record after record once the contestant is there. */
    private static final class Arrivals implements Scene {
        private final KafkaBroker broker = Topic.broker();
        private final int records;
        private final Thread producing;

        Arrivals(int records) throws Exception {
            this.records = records;
            producing = Thread.ofPlatform().daemon().name("producing").unstarted(this::produce);
        }

        @Override
        public Map<String, String> parameters() {
            return Map.of(ConsumeCourse.URL, broker.servers());
        }

        @Override
        public void begin() {
            producing.start();
        }

        private void produce() {
            try (Producer<byte[], byte[]> producer = Topic.producer(broker.servers())) {
                long start = Ticker.SYSTEM.nanos();
                for (int number = 0; number < records; number++) {
                    long due = start + number * (1_000_000_000L / PER_SECOND);
                    while (due - Ticker.SYSTEM.nanos() > 0) {
                        Ticker.SYSTEM.parkUntil(due);
                    }
                    var _ = producer.send(Topic.record(number));
                }
            }
        }

        @Override
        public void close() throws IOException {
            try {
                producing.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            broker.close();
        }
    }
}
