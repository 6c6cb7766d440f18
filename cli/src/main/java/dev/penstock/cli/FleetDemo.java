package dev.penstock.cli;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.LoadProgress;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.observe.WatchedFlow;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Three gateways in processes of their own that share a topic, a database and the limit of a slow target, behind a balancer. In
 * turns one is killed and started again.
 *
 * @param lasting the duration of the load
 * @param seed the random seed
 * @param kafka the bootstrap servers of a Kafka broker
 * @param store the URL of a PostgreSQL database
 */
record FleetDemo(Duration lasting, long seed, String kafka, String store) {
    static final String DEFAULT_KAFKA = "127.0.0.1:9092";
    static final String DEFAULT_STORE = "jdbc:postgresql://127.0.0.1/postgres?user=postgres&password=penstock";
    private static final int GATEWAYS = 3;
    private static final int RATE = 200;
    static final int CAP = 100;
    private static final Duration DELAY = Duration.ofMillis(250);
    private static final int PARTITIONS = 12;
    private static final String DEAD_LETTERS = ".DLQ";
    private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);
    private static final Duration REST = Duration.ofSeconds(30);

    /** Runs the demo; shows progress on {@code err} and in the live line. */
    FleetReport run(PrintWriter err, LiveLine live) throws Exception {
        String topic = "penstock-demo-%08x".formatted(new SecureRandom().nextInt());
        List<FleetGateway> gateways = new ArrayList<>();
        try (TempFolder temp = TempFolder.create(topic);
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka));
                HttpSimulator target = HttpSimulator.builder()
                        .delay(new Delay.Constant(DELAY))
                        .workers(CAP, 0)
                        .random(new SplittableRandom(seed))
                        .start()) {
            Path folder = temp.path();
            createTopics(admin, topic);
            try {
                for (int i = 1; i <= GATEWAYS; i++) {
                    Path own = Files.createDirectory(folder.resolve("gateway-" + i));
                    gateways.add(FleetGateway.start(own, port -> flows(port, topic, target.url())));
                }
                for (FleetGateway gateway : gateways) {
                    gateway.awaitReady();
                }
                announce(err, gateways, target);
                return run(folder, gateways, target, live);
            } finally {
                gateways.forEach(FleetGateway::stop);
                gateways.forEach(FleetGateway::close);
                admin.deleteTopics(List.of(topic, topic + DEAD_LETTERS)); // ends before the admin client is closed
            }
        }
    }

    private static void createTopics(Admin admin, String topic) throws Exception {
        admin.createTopics(List.of(
                        new NewTopic(topic, PARTITIONS, (short) 1), new NewTopic(topic + DEAD_LETTERS, 1, (short) 1)))
                .all()
                .get();
    }

    private String flows(int port, String topic, String target) {
        return """
                store: { url: "%1$s" }
                flows:
                  accept:
                    from: { http: { port: %2$d, path: / } }
                    to: { kafka: { url: "%3$s", topic: %4$s } }
                  %4$s:
                    from:
                      kafka:
                        url: "%3$s"
                        topic: %4$s
                        group: %4$s
                        key: penstock_id
                        redeliver: { attempts: 1000 }
                        properties: { session.timeout.ms: 6000 }
                    to: { http: { url: "%5$s/v1/transactions" } }
                    limit: { fleet: %6$d }
                """.formatted(store, port, kafka, topic, target, CAP);
    }

    private static String balancer(List<FleetGateway> gateways) {
        return """
                flows:
                  balancer:
                    from: { http: { port: 0, path: / } }
                    to: { http: { url: [%s] } }
                    deadline: 10s
                    retry: { attempts: 5, key: Idempotency-Key }
                """.formatted(
                gateways.stream().map(gateway -> '"' + gateway.url() + '"').collect(Collectors.joining(", ")));
    }

    private FleetReport run(Path folder, List<FleetGateway> gateways, HttpSimulator target, LiveLine live)
            throws Exception {
        Path file = Files.writeString(folder.resolve("balancer.yaml"), balancer(gateways));
        try (Gateway balancer = Gateway.start(FlowFile.read(file).config())) {
            WatchedFlow flow = balancer.flows().getFirst();
            String from = flow.snapshot().from();
            FleetKills kills = new FleetKills(gateways, lasting);
            LoadResult load;
            try {
                load = load(from, live);
            } finally {
                kills.stop();
            }
            TimeLine line = load.timeLine();
            awaitEffects(target, load.counts().right());
            balancer.drain();
            return new FleetReport(
                    line == null ? load : load.withTimeLine(kills.addTo(line)),
                    flow.snapshot().account(),
                    target.report(),
                    kills.count(),
                    kills.failure(),
                    from);
        }
    }

    private LoadResult load(String url, LiveLine live) throws InterruptedException {
        PaymentXml payments = new PaymentXml(seed);
        try (HttpTarget balancer = HttpTarget.at(url).poolMax(10_000).build()) {
            return OpenLoad.at(Arrivals.constant(RATE))
                    .lasting(lasting)
                    .watch(WATCH_INTERVAL, progress -> live.show(System.nanoTime(), LoadProgress.line(progress)))
                    .run(balancer, number -> Demo.request(payments.apply(number)), FleetDemo::isAccepted);
        }
    }

    private static boolean isAccepted(HttpAnswer answer) {
        return answer.status() == 202;
    }

    /** What was accepted may wait in the topic for the restart of its gateway. */
    private static void awaitEffects(HttpSimulator target, long accepted) throws InterruptedException {
        long until = System.nanoTime() + REST.toNanos();
        while (target.report().ids().applied() < accepted && System.nanoTime() - until < 0) {
            FleetGateway.pause();
        }
    }

    private void announce(PrintWriter err, List<FleetGateway> gateways, HttpSimulator target) {
        err.println("simulated target: " + target.url() + ", answers in 250 ms, refuses more than " + CAP
                + " calls at once");
        gateways.forEach(gateway -> err.println("gateway:          " + gateway.url()));
        err.println("load:             " + RATE + " payments per second for " + lasting.toSeconds()
                + " s through a balancer; a gateway is killed every " + FleetKills.EVERY.toSeconds() + " s");
        err.flush();
    }
}
