package dev.penstock.races.httppool;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.HttpSimulatorBuilder;
import dev.penstock.lab.simulate.SimulatorReport;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A simulated gateway, and what it counted: rehearsal and warm-up included, for it knows of neither. */
final class SimulatorScene implements Scene {
    private static final String URL = "url";

    private final HttpSimulator gateway;
    private final Duration lasting;

    private SimulatorScene(HttpSimulator gateway, Duration lasting) {
        this.gateway = gateway;
        this.lasting = lasting;
    }

    /**
     * Starts a gateway for one contestant.
     *
     * @param gateway how it behaves
     * @param contestant who calls it: the payment SDK gets the answer that it understands
     * @param lasting how long the load starts payments
     */
    static SimulatorScene open(HttpSimulatorBuilder gateway, Contestants contestant, Duration lasting)
            throws IOException {
        if (contestant == Contestants.PAYMENT_SDK) {
            gateway.answer(200, "text/xml", PaymentSdk.APPROVAL).idInBody(PaymentSdk.ID_MARK, "\n");
        }
        return new SimulatorScene(gateway.start(), lasting);
    }

    /** Where the gateway is, from what its scene said. */
    static URI url(Map<String, String> parameters) {
        String url = parameters.get(URL);
        if (url == null) {
            throw new IllegalArgumentException("the scene named no " + URL);
        }
        return URI.create(url);
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of(URL, gateway.url() + "/v1/transactions");
    }

    @Override
    public void begin() {
        gateway.begin();
    }

    /**
     * {@code duplicates}: requests received whose payment had been received before; {@code cut}: requests received and cut
     * off by intent, a repeated one each time; {@code connections_opened}.
     */
    @Override
    public Map<String, Double> metrics() {
        SimulatorReport report = gateway.report();
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("duplicates", (double) report.ids().duplicates());
        metrics.put("cut", (double) report.requests().cut());
        metrics.put("connections_opened", (double) report.connections().accepted());
        return metrics;
    }

    /** How many different payments it received. */
    long ids() {
        return gateway.report().ids().unique();
    }

    @Override
    public List<TimeLine.Fault> faults() {
        return gateway.faults(lasting);
    }

    @Override
    public void close() {
        gateway.close();
    }
}
