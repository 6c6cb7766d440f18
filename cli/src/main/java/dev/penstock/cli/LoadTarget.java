package dev.penstock.cli;

import dev.penstock.Target;
import dev.penstock.cli.probe.LoadSender;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.jms.JmsTarget;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaReceipt;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.KafkaTarget;
import dev.penstock.lab.load.AnswerJudge;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.AnswerCount;
import dev.penstock.udp.Datagram;
import dev.penstock.udp.socket.DatagramSenderBuilder;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.RequestIds;
import dev.penstock.udp.target.UdpTarget;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * The target of a load.
 *
 * @param target the target
 * @param requests creates the request of a transaction from its number
 * @param judge derives the outcome of a transaction from its answer
 */
record LoadTarget<Q, R>(Target<Q, R> target, LongFunction<Q> requests, AnswerJudge<R> judge) implements LoadSender {
    /** A target whose answers are only right or wrong. */
    LoadTarget(Target<Q, R> target, LongFunction<Q> requests, Predicate<R> isRight) {
        this(target, requests, AnswerJudge.of(isRight));
    }

    /** The prefix of every database target. */
    static final String JDBC = "jdbc:";

    /** The prefix of every queue target. */
    static final String JMS = "jms:";

    /** The prefix of every topic of Kafka. */
    static final String KAFKA = "kafka:";

    private static final Duration UDP_TIMEOUT = Duration.ofSeconds(1);

    private static final Set<String> PARAMETERS = Set.of("n", "id");

    static LoadTarget<HttpCall, HttpAnswer> ofHttp(HttpTarget target, LongFunction<HttpCall> calls) {
        return ofHttp(target, calls, 1);
    }

    /** A target of a load with this many labels. */
    static LoadTarget<HttpCall, HttpAnswer> ofHttp(HttpTarget target, LongFunction<HttpCall> calls, int labels) {
        return new LoadTarget<>(target, calls, new HttpAnswers(labels));
    }

    /**
     * A statement whose parameters may be {@code :n}, the number of the transaction, and {@code :id}, a random UUID.
     *
     * @throws IllegalArgumentException other parameters, or no such database, with a one-line remedy
     */
    static LoadTarget<JdbcRequest, JdbcAnswer> ofJdbc(String url, String statement, long seed) {
        GuardedDataSource source = GuardedDataSource.at(url).build();
        try {
            return ofJdbc(source, withoutSecrets(url), statement, seed);
        } catch (IllegalArgumentException wrong) {
            source.close();
            throw wrong;
        }
    }

    /**
     * As {@link #ofJdbc(String, String, long)}, with other connections.
     *
     * @param source closed with the target
     * @param where the URL without secrets
     */
    static LoadTarget<JdbcRequest, JdbcAnswer> ofJdbc(DataSource source, String where, String statement, long seed) {
        JdbcTarget target = JdbcTarget.on(source)
                .statement(statement)
                .closesDataSource()
                .where(where)
                .build();
        Set<String> others = new TreeSet<>(target.parameters());
        others.removeAll(PARAMETERS);
        if (!others.isEmpty()) {
            target.close();
            throw new IllegalArgumentException("--statement has unknown parameters " + others
                    + ": use :n for the number of the transaction, or :id for a random UUID");
        }
        return new LoadTarget<>(target, number -> request(target.parameters(), seed, number), answer -> true);
    }

    /**
     * A queue, which receives persistent messages.
     *
     * @param url the broker URL after {@value #JMS}
     * @param sessions the maximum number of sessions
     * @throws IllegalArgumentException invalid URL, with a one-line remedy
     */
    static LoadTarget<JmsMessage, JmsReceipt> ofJms(
            String url, String queue, LongFunction<JmsMessage> messages, int sessions) {
        JmsBroker broker = JmsBroker.at(url.substring(JMS.length()));
        return new LoadTarget<>(
                JmsTarget.at(broker).queue(queue).sessions(sessions).build(), messages, receipt -> true);
    }

    /**
     * A topic of Kafka, whose brokers all acknowledge each record.
     *
     * @param url the brokers after {@value #KAFKA}
     * @throws IllegalArgumentException invalid brokers or topic, with a one-line remedy
     */
    static LoadTarget<KafkaRecord, KafkaReceipt> ofKafka(String url, String topic, LongFunction<KafkaRecord> records) {
        return new LoadTarget<>(KafkaTarget.at(cluster(url)).topic(topic).build(), records, receipt -> true);
    }

    /** The brokers after {@value #KAFKA}. */
    static KafkaCluster cluster(String url) {
        return KafkaCluster.at(url.substring(KAFKA.length()).replaceFirst("^//", ""));
    }

    /** A UDP peer; a datagram without an answer within a second ends as unknown. */
    static LoadTarget<Datagram, byte[]> ofUdp(InetSocketAddress peer, DatagramOptions datagrams) {
        DatagramSenderBuilder sender = datagrams.to(peer);
        return new LoadTarget<>(
                UdpTarget.at(peer.getAddress().getHostAddress(), peer.getPort())
                        .ids(RequestIds.at(0, Long.BYTES))
                        .maxSize(UdpSocket.MOST_BYTES)
                        .timeout(UDP_TIMEOUT)
                        .build(),
                number -> Datagram.of(sender.datagram(number)),
                sender::isRight);
    }

    private static JdbcRequest request(Set<String> parameters, long seed, long number) {
        JdbcRequest request = JdbcRequest.empty();
        if (parameters.contains("n")) {
            request = request.with("n", number);
        }
        if (parameters.contains("id")) {
            request = request.with("id", id(seed, number));
        }
        return request;
    }

    /** A random UUID for a transaction. */
    static String id(long seed, long number) {
        SplittableRandom random = new SplittableRandom(seed * 31 + number);
        return new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | Long.MIN_VALUE)
                .toString();
    }

    /** A URL without query (or H2 parameters) and user information, which may contain a password. */
    static String withoutSecrets(String url) {
        int end = url.startsWith(JDBC) ? firstOf(url, '?', ';') : url.indexOf('?');
        String shown = end < 0 ? url : url.substring(0, end + 1) + "***";
        return shown.replaceAll("//[^/]*@", "//***@").replaceFirst("(?i)^(jdbc:oracle:\\w+:).+@", "$1***@");
    }

    private static int firstOf(String url, char one, char other) {
        int first = url.indexOf(one);
        int second = url.indexOf(other);
        return first < 0 || second < 0 ? Math.max(first, second) : Math.min(first, second);
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return load.runJudged(target, requests, judge);
    }

    /** The current answers by status code; empty for targets other than HTTP. */
    List<AnswerCount> answers() {
        return judge instanceof HttpAnswers http ? http.counts() : List.of();
    }

    /** The bytes of the bodies of answers so far, by label; empty for targets other than HTTP. */
    List<Long> receivedBytes() {
        return judge instanceof HttpAnswers http ? http.receivedBytes() : List.of();
    }

    @Override
    public void close() {
        target.close();
    }
}
