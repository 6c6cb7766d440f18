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
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.jms.JmsTarget;
import dev.penstock.lab.load.AnswerJudge;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.AnswerCount;
import dev.penstock.udp.Datagram;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.socket.DatagramSenderBuilder;
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

/**
 * What is loaded.
 *
 * @param target where to
 * @param requests makes the request of a transaction from its number
 * @param judge how a transaction ended, from its answer
 */
record LoadTarget<Q, R>(Target<Q, R> target, LongFunction<Q> requests, AnswerJudge<R> judge) implements LoadSender {
    /** What is loaded, where an answer is only right or wrong. */
    LoadTarget(Target<Q, R> target, LongFunction<Q> requests, Predicate<R> isRight) {
        this(target, requests, AnswerJudge.of(isRight));
    }

    /** What every target that is a database begins with. */
    static final String JDBC = "jdbc:";

    /** What every target that is a queue begins with. */
    static final String JMS = "jms:";

    private static final Duration UDP_TIMEOUT = Duration.ofSeconds(1);

    private static final Set<String> KNOWN = Set.of("n", "id");

    static LoadTarget<HttpCall, HttpAnswer> ofHttp(HttpTarget target, LongFunction<HttpCall> calls) {
        return new LoadTarget<>(target, calls, new HttpAnswers());
    }

    /**
     * A statement, of whose parameters {@code :n} is the number of the transaction and {@code :id} a random UUID.
     *
     * @param connections at the most; 0 to find out how many are wanted
     * @throws IllegalArgumentException when it has others, or there is no such database, in one line that says what to do
     */
    static LoadTarget<JdbcRequest, JdbcAnswer> ofJdbc(String url, String statement, long seed, int connections) {
        GuardedDataSourceBuilder pool = GuardedDataSource.at(url);
        GuardedDataSource source = (connections == 0 ? pool : pool.max(connections)).build();
        JdbcTarget target;
        try {
            target = JdbcTarget.on(source)
                    .statement(statement)
                    .closesDataSource()
                    .where(withoutSecrets(url))
                    .build();
        } catch (IllegalArgumentException wrong) {
            source.close();
            throw wrong;
        }
        Set<String> others = new TreeSet<>(target.parameters());
        others.removeAll(KNOWN);
        if (!others.isEmpty()) {
            target.close();
            throw new IllegalArgumentException("--statement has the parameters " + others
                    + ": write :n for the number of the transaction, or :id for a random UUID");
        }
        return new LoadTarget<>(target, number -> request(target.parameters(), seed, number), answer -> true);
    }

    /**
     * A queue, to which messages are sent persistently.
     *
     * @param url of the broker, after {@value #JMS}
     * @param sessions at the most
     * @throws IllegalArgumentException when it is none, in one line that says what to do
     */
    static LoadTarget<JmsMessage, JmsReceipt> ofJms(
            String url, String queue, LongFunction<JmsMessage> messages, int sessions) {
        JmsBroker broker = JmsBroker.at(url.substring(JMS.length()));
        return new LoadTarget<>(
                JmsTarget.at(broker).queue(queue).sessions(sessions).build(), messages, receipt -> true);
    }

    /** A peer that answers datagrams; one that has no answer within a second is unknown. */
    static LoadTarget<Datagram, byte[]> ofUdp(InetSocketAddress peer, DatagramOptions datagrams) {
        DatagramSenderBuilder volley = datagrams.to(peer);
        return new LoadTarget<>(
                UdpTarget.at(peer.getAddress().getHostAddress(), peer.getPort())
                        .ids(RequestIds.at(0, Long.BYTES))
                        .maxSize(UdpSocket.MOST_BYTES)
                        .timeout(UDP_TIMEOUT)
                        .build(),
                number -> Datagram.of(volley.datagram(number)),
                volley::isRight);
    }

    private static JdbcRequest request(Set<String> parameters, long seed, long number) {
        JdbcRequest request = JdbcRequest.empty();
        if (parameters.contains("n")) {
            request = request.with("n", number);
        }
        if (parameters.contains("id")) {
            SplittableRandom random = new SplittableRandom(seed * 31 + number);
            UUID id = new UUID((random.nextLong() & ~0xF000L) | 0x4000L, (random.nextLong() >>> 2) | Long.MIN_VALUE);
            request = request.with("id", id.toString());
        }
        return request;
    }

    /** A URL without its query, or what H2 has in place of one, and without who signs in: a password may be in them. */
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

    /** How many answers of each status code there were so far; empty for anything but HTTP. */
    List<AnswerCount> answers() {
        return judge instanceof HttpAnswers http ? http.counts() : List.of();
    }

    @Override
    public void close() {
        target.close();
    }
}
