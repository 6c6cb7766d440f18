package dev.penstock.races.jmsflow;

import dev.penstock.AnswerCodec;
import dev.penstock.Answered;
import dev.penstock.Dedupe;
import dev.penstock.Settle;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.races.messages.ConsumeCourse;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The consumer process of {@link KillRound}: a source, a flow with a dedupe by message id, and a handler whose
 * effect is a line to its parent. A line is one write to a pipe, so written lines survive a kill, and the parent reads
 * all of them. Ends when its parent is gone.
 *
 * <pre>
 *   D 17 500   message 17 was delivered        E 17 500   it took effect        A 17 499   its flow has ended
 *   Q 17 499   has 17 taken effect?            and the parent's answer: Y 17 or N 17
 * </pre>
 *
 * <p>The last number of each line is the number of messages held by the source at that time.
 */
final class KilledConsumer {
    /** A message was delivered. */
    static final char DELIVERED = 'D';
    /** A message took effect. */
    static final char EFFECT = 'E';
    /** The flow of a message has ended; it is about to be acknowledged. */
    static final char ENDED = 'A';
    /** Asks whether a message has taken effect. */
    static final char QUESTION = 'Q';
    /** It has. */
    static final char YES = 'Y';
    /** It has not. */
    static final char NO = 'N';

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration HANDLER = Duration.ofMillis(20);

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final Map<Integer, CompletableFuture<Boolean>> asked = new ConcurrentHashMap<>();
    private volatile @Nullable JmsSource source;

    private KilledConsumer() {}

    /**
     * Runs until it is killed, or its parent is gone.
     *
     * @param args the broker's URL, and the file of the idempotency store
     */
    public static void main(String[] args) throws IOException {
        System.setOut(System.err);
        KilledConsumer consumer = new KilledConsumer();
        consumer.start(args[0], Path.of(args[1]));
        consumer.listen();
        Runtime.getRuntime().halt(0);
    }

    private void start(String url, Path storeFile) throws IOException {
        Flow<JmsMessage, String> flow = Flow.named("killed")
                .deadline(DEADLINE)
                .dedupe(Dedupe.byKey(JmsMessage.MESSAGE_ID, JdbcIdempotencyStore.inFile(storeFile), new StringCodec()))
                .concurrency(ConsumeCourse.BOUND)
                .to(this::handle, Settle.by(this::ask).after(Duration.ZERO));
        JmsSource built = JmsSource.at(JmsBroker.at(url))
                .queue(Backlog.QUEUE)
                .inFlight(ConsumeCourse.BOUND)
                .key(JmsMessage.MESSAGE_ID)
                .to(message -> handled(flow, message), flow::capacity);
        source = built;
        built.start();
    }

    private String handled(Flow<JmsMessage, String> flow, JmsMessage message) throws Exception {
        int number = Backlog.number(message.body());
        report(DELIVERED, number);
        String answer = flow.call(message);
        report(ENDED, number);
        return answer;
    }

    private String handle(JmsMessage message) throws InterruptedException, IOException {
        long until = Ticker.SYSTEM.nanos() + HANDLER.toNanos();
        while (until - Ticker.SYSTEM.nanos() > 0) {
            Ticker.SYSTEM.parkUntil(until);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while handling a message");
            }
        }
        int number = Backlog.number(message.body());
        report(EFFECT, number);
        return "done " + number;
    }

    /** A status probe for transactions left unfinished by a killed process: asks the parent. */
    private Settled<String> ask(JmsMessage message) throws Exception {
        int number = Backlog.number(message.body());
        CompletableFuture<Boolean> answer = asked.computeIfAbsent(number, _ -> new CompletableFuture<>());
        report(QUESTION, number);
        return answer.get() ? new Answered<>("done " + number) : new Settled.NotThere<>();
    }

    private synchronized void report(char word, int number) throws IOException {
        JmsSource asked = source;
        int held = asked == null ? 0 : asked.inFlight();
        out.write((word + " " + number + " " + held + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void listen() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            CompletableFuture<Boolean> answer = asked.remove(Integer.parseInt(line.substring(2)));
            if (answer != null) {
                answer.complete(line.charAt(0) == YES);
            }
        }
    }

    /** Stores the handler's answers. */
    private static final class StringCodec implements AnswerCodec<String> {
        @Override
        public Class<String> kind() {
            return String.class;
        }

        @Override
        public byte[] encode(String answer) {
            return answer.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The parent's side of a {@link KilledConsumer} process: records its output in {@link Effects}. */
    static final class ConsumerProcess {
        /** The process is killed after seconds: a fast start matters more than peak performance. */
        private static final List<String> FAST_START =
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

        private final Process process;
        private final Thread listener;

        ConsumerProcess(String url, Path store, Effects effects) throws IOException {
            process = new ProcessBuilder(ChildJvm.command(FAST_START, KilledConsumer.class, url, store.toString()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            listener = Thread.ofPlatform().daemon().name("effects").start(() -> listen(effects));
        }

        private void listen(Effects effects) {
            try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII);
                    BufferedWriter in = process.outputWriter(StandardCharsets.US_ASCII)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    int space = line.indexOf(' ', 2);
                    int number = Integer.parseInt(line, 2, space, 10);
                    effects.held(Integer.parseInt(line, space + 1, line.length(), 10));
                    switch (line.charAt(0)) {
                        case DELIVERED -> effects.delivered(number);
                        case EFFECT -> effects.effect(number);
                        case ENDED -> effects.ended(number);
                        case QUESTION -> answer(in, effects.isDone(number), number);
                        default -> throw new IllegalStateException("unexpected line from the consumer: " + line);
                    }
                }
            } catch (IOException e) {
                // The process was killed.
            }
        }

        private static void answer(BufferedWriter in, boolean done, int number) throws IOException {
            in.write((done ? YES : NO) + " " + number + "\n");
            in.flush();
        }

        boolean isAlive() {
            return process.isAlive();
        }

        /** kill -9; returns when all of its output was read. */
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
            listener.join();
        }
    }
}
