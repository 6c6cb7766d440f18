package dev.penstock.races.kafkaflow;

import dev.penstock.Answered;
import dev.penstock.Dedupe;
import dev.penstock.Settle;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import dev.penstock.udp.Datagram;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process of a contestant that is killed. Its handlers write to an {@link EffectLog}. Ours has a dedupe stage, which asks that
 * log about the records that an earlier process did not finish. It ends when its standard input does.
 */
final class KilledConsumerMain {
    static final String LOG = "effects";
    static final HandlerTime TIME = new HandlerTime(50, 200);

    private static final int MOST = 1_000_000;
    private static final byte[] ANSWER = {1};

    private KilledConsumerMain() {}

    /**
     * Runs a contestant.
     *
     * @param args its name, the URL of the broker, and the folder of its files
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[2]);
        MessageWork handling =
                new LoggedWork(new FileOutputStream(folder.resolve(LOG).toFile(), true));
        MessageConsumer _ = KafkaFlowContestants.ALL.entry(args[0]).role() == Role.OURS
                ? ours(args[0], args[1], folder, handling)
                : KafkaFlowContestants.ALL.named(args[0]).at(args[1], handling);
        while (System.in.read() >= 0) {
            // Nothing is written to it.
        }
        Runtime.getRuntime().halt(0);
    }

    private static MessageConsumer ours(String name, String url, Path folder, MessageWork handling) throws IOException {
        EffectLog earlier = new EffectLog(folder.resolve(LOG));
        earlier.read();
        Flow<KafkaRecord, byte[]> flow = KafkaFlowContestants.automatic()
                .dedupe(Dedupe.byKey(
                        KafkaSource.ID,
                        JdbcIdempotencyStore.inFile(folder.resolve("keys")),
                        Datagram.answers())) // keeps any bytes
                .to(
                        record -> {
                            handling.handle(KafkaFlowContestants.number(record));
                            return ANSWER;
                        },
                        Settle.<KafkaRecord, byte[]>by(record -> {
                                    int number = KafkaFlowContestants.number(record);
                                    return earlier.isDone(number) || handling.times(number) > 0
                                            ? new Answered<>(ANSWER)
                                            : new Settled.NotThere<>();
                                })
                                .after(Duration.ZERO));
        return KafkaFlowContestants.source(name, url, flow);
    }

    private static final class LoggedWork extends MessageWork {
        private final OutputStream log;

        LoggedWork(OutputStream log) {
            super(TIME, 0, MOST);
            this.log = log;
        }

        @Override
        protected int millis(int number) {
            append(EffectLog.beginning(number));
            return super.millis(number);
        }

        @Override
        protected void done(int number) {
            append(EffectLog.effect(number));
        }

        private void append(byte[] entry) {
            try {
                log.write(entry);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
