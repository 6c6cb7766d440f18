package dev.penstock.races.jmsflow;

import dev.penstock.Answered;
import dev.penstock.Settled;
import dev.penstock.dedupe.AnswerCodec;
import dev.penstock.dedupe.Dedupe;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.source.JmsSource;
import dev.penstock.retry.Settle;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The process that consumes in the course {@code kill}: a source, a flow with a dedupe by message id, and a handler whose
 * effect is a line to its parent. A line is one write to a pipe, so what was written outlives a kill, and what the parent
 * has read is all there was. Ends when its parent is gone.
 *
 * <pre>
 *   D 17 500   message 17 was delivered        E 17 500   it took effect        A 17 499   its flow has ended
 *   Q 17 499   has 17 taken effect?            and the parent's answer: Y 17 or N 17
 * </pre>
 *
 * <p>The last of each line is how many messages the source had in hand when it was said.
 */
final class KilledConsumer {
    /** A message was delivered. */
    static final char DELIVERED = 'D';
    /** A message took effect. */
    static final char EFFECT = 'E';
    /** The flow of a message has ended, and it is about to be acknowledged. */
    static final char ENDED = 'A';
    /** Whether a message has taken effect. */
    static final char QUESTION = 'Q';
    /** It has. */
    static final char YES = 'Y';
    /** It has not. */
    static final char NO = 'N';

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final int HANDLER_MILLIS = 20;

    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final Map<Integer, CompletableFuture<Boolean>> asked = new ConcurrentHashMap<>();
    private volatile @Nullable JmsSource source;

    private KilledConsumer() {}

    /**
     * Runs until it is killed, or its parent is gone.
     *
     * @param args the broker's URL, and the file of the ledger
     */
    public static void main(String[] args) throws IOException {
        System.setOut(System.err);
        KilledConsumer consumer = new KilledConsumer();
        consumer.start(args[0], Path.of(args[1]));
        consumer.listen();
        Runtime.getRuntime().halt(0);
    }

    private void start(String url, Path ledger) throws IOException {
        Flow<JmsMessage, String> flow = Flow.named("killed")
                .deadline(DEADLINE)
                .dedupe(Dedupe.byKey(
                        JmsMessage.MESSAGE_ID, new ShortLease(JdbcIdempotencyStore.inFile(ledger)), new Words()))
                .limit(JmsFlowContestants.BOUND)
                .to(this::handle, Settle.by(this::ask).after(Duration.ZERO));
        JmsSource built = JmsSource.at(JmsBroker.at(url))
                .queue(Backlog.QUEUE)
                .inFlight(JmsFlowContestants.BOUND)
                .key(JmsMessage.MESSAGE_ID)
                .to(message -> told(flow, message), flow::capacity);
        source = built;
        built.start();
    }

    private String told(Flow<JmsMessage, String> flow, JmsMessage message) throws Exception {
        int number = Backlog.number(message.body());
        say(DELIVERED, number);
        String answer = flow.call(message);
        say(ENDED, number);
        return answer;
    }

    private String handle(JmsMessage message) throws InterruptedException, IOException {
        Thread.sleep(HANDLER_MILLIS);
        int number = Backlog.number(message.body());
        say(EFFECT, number);
        return "done " + number;
    }

    /** The status of what a process that died left undone: the parent knows. */
    private Settled<String> ask(JmsMessage message) throws Exception {
        int number = Backlog.number(message.body());
        CompletableFuture<Boolean> answer = asked.computeIfAbsent(number, _ -> new CompletableFuture<>());
        say(QUESTION, number);
        return answer.get() ? new Answered<>("done " + number) : new Settled.NotThere<>();
    }

    private synchronized void say(char word, int number) throws IOException {
        JmsSource asked = source;
        int inHand = asked == null ? 0 : asked.inFlight();
        out.write((word + " " + number + " " + inHand + "\n").getBytes(StandardCharsets.US_ASCII));
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

    /** Keeps the handler's few words. */
    private static final class Words implements AnswerCodec<String> {
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
}
