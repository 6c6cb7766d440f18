package dev.penstock.cli;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.LoadProgress;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A slow and faulty simulated gateway, one flow in front of it, and a load of payments: what {@code penstock simulate},
 * {@code serve} and {@code load} do, in one process.
 *
 * @param lasting the duration of the load
 * @param seed the random seed
 * @param browser whether to open the dashboard
 */
record Demo(Duration lasting, long seed, boolean browser) {
    private static final int RATE = 200;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final FaultSchedule CLOSES = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));
    private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);
    private static final String KEY = "Idempotency-Key";
    private static final String PATH = "/v1/payments";

    /** Runs the demo; shows progress on {@code err} and in the live line. */
    DemoReport run(PrintWriter err, LiveLine live) throws Exception {
        try (HttpSimulator simulator = HttpSimulator.builder()
                        .delay(new Delay.Constant(DELAY))
                        .close(Closing.FIN, CLOSES)
                        .random(new SplittableRandom(seed))
                        .start();
                Gateway gateway = Gateway.start(flowFile(simulator.url()).config())) {
            WatchedFlow flow = gateway.flows().getFirst();
            announce(err, flow.snapshot(), simulator, gateway.adminAddress());
            simulator.begin();
            LoadResult load = load(flow, live);
            TimeLine line = load.timeLine();
            if (line != null) {
                load = load.withTimeLine(line.withFaults(simulator.faults(lasting)));
            }
            FlowSnapshot end = flow.snapshot();
            gateway.drain();
            return new DemoReport(
                    load,
                    flow.snapshot().account(),
                    end.bottleneck().sentence(),
                    simulator.report(),
                    end.connections(),
                    end.from());
        }
    }

    private static FlowFile flowFile(String target) throws Exception {
        Path file = Files.createTempFile("penstock-demo", ".yaml");
        try {
            Files.writeString(file, """
                admin: { port: 0 }
                flows:
                  payments:
                    from: { http: { port: 0, path: %s } }
                    to:   { http: { url: "%s/v1/transactions" } }
                    deadline: 5s
                    retry: { attempts: 3, key: %s }
                """.formatted(PATH, target, KEY));
            return FlowFile.read(file);
        } finally {
            Files.delete(file);
        }
    }

    private LoadResult load(WatchedFlow flow, LiveLine live) throws InterruptedException {
        PaymentXml payments = new PaymentXml(seed);
        try (HttpTarget flowTarget =
                HttpTarget.at(flow.snapshot().from()).poolMax(10_000).build()) {
            return OpenLoad.at(Arrivals.constant(RATE))
                    .lasting(lasting)
                    .watch(WATCH_INTERVAL, progress -> {
                        flow.snapshot(); // so that the last bottleneck is that of the last 10 s, not of the whole run
                        live.show(System.nanoTime(), LoadProgress.line(progress));
                    })
                    .run(flowTarget, number -> request(payments.apply(number)), Demo::isRight);
        }
    }

    static HttpCall request(PaymentXml.Payment payment) {
        return HttpCall.post("/", payment.xml())
                .withHeader("Content-Type", "application/xml")
                .withHeader(KEY, payment.id());
    }

    private static boolean isRight(HttpAnswer answer) {
        return answer.status() == 200;
    }

    private void announce(PrintWriter err, FlowSnapshot flow, HttpSimulator simulator, @Nullable URI dashboard) {
        err.println("simulated gateway: " + simulator.url()
                + ", answers in 1 s, closes idle connections every 10 s for 1 s");
        err.println("flow payments:     " + flow.from() + " -> " + flow.to());
        err.println("dashboard:         " + dashboard);
        err.println(
                "load:              " + RATE + " payments of about 2 KB per second for " + lasting.toSeconds() + " s");
        err.flush();
        if (browser && dashboard != null && !open(dashboard)) {
            err.println("cannot open a browser; --no-browser disables this");
            err.flush();
        }
    }

    private static boolean open(URI page) {
        boolean mac = System.getProperty("os.name", "").startsWith("Mac");
        try {
            new ProcessBuilder(mac ? "open" : "xdg-open", page.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
