package dev.penstock.cli;

import dev.penstock.lab.measure.TimeLine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Kills and restarts the gateways of a fleet in turns, and records the share of each over time, from its creation on. */
final class FleetKills {
    static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration SAMPLE = Duration.ofMillis(500);
    /** No kill comes so close to the end of the load. */
    private static final Duration LAST = Duration.ofSeconds(5);

    private record Sample(double at, List<Double> shares) {}

    private final List<FleetGateway> gateways;
    private final Duration lasting;
    private final long start = System.nanoTime();
    private final List<Sample> samples = new CopyOnWriteArrayList<>();
    private final List<TimeLine.Fault> faults = new CopyOnWriteArrayList<>();
    private final AtomicInteger kills = new AtomicInteger();
    private volatile @Nullable String failure;
    private final Thread killer;
    private final Thread sampler;

    FleetKills(List<FleetGateway> gateways, Duration lasting) {
        this.gateways = gateways;
        this.lasting = lasting;
        killer = Thread.ofPlatform().daemon().name("demo-kills").start(this::kill);
        sampler = Thread.ofPlatform().daemon().name("demo-shares").start(this::sample);
    }

    private double now() {
        return (System.nanoTime() - start) / 1e9;
    }

    private void kill() {
        try {
            for (int i = 0; EVERY.multipliedBy(i + 1L).plus(LAST).compareTo(lasting) <= 0; i++) {
                Thread.sleep(Duration.ofNanos(start + EVERY.multipliedBy(i + 1L).toNanos() - System.nanoTime()));
                FleetGateway gateway = gateways.get(i % gateways.size());
                double from = now();
                gateway.kill();
                kills.incrementAndGet();
                try {
                    gateway.restart();
                    gateway.awaitReady();
                } finally {
                    faults.add(new TimeLine.Fault("kill", from, now()));
                }
            }
        } catch (InterruptedException over) {
            // The load has ended.
        } catch (IOException failed) {
            failure = failed.getMessage();
        }
    }

    private void sample() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                sampleOnce();
                Thread.sleep(SAMPLE);
            }
        } catch (InterruptedException over) {
            // The load has ended.
        }
    }

    private void sampleOnce() throws InterruptedException {
        for (FleetGateway gateway : gateways) {
            List<JsonNode> members = gateway.members();
            if (!members.isEmpty()) {
                samples.add(new Sample(
                        now(),
                        gateways.stream().map(each -> each.share(members)).toList()));
                return;
            }
        }
    }

    /** Why a gateway did not start again; null if all did. */
    @Nullable
    String failure() {
        return failure;
    }

    /** How many there were. */
    int count() {
        return kills.get();
    }

    /** Adds the kills, and the shares as the series share_1 and so on. */
    TimeLine addTo(TimeLine line) {
        TimeLine all = line.withFaults(List.copyOf(faults));
        for (int i = 0; i < gateways.size(); i++) {
            int gateway = i;
            all = all.with(
                    "share_" + (i + 1),
                    line.at().stream().map(at -> share(at, gateway)).toList());
        }
        return all;
    }

    /** The share of a gateway at a time. */
    private double share(double at, int gateway) {
        double share = 0;
        for (Sample sample : samples) {
            share = sample.at <= at ? sample.shares.get(gateway) : share;
        }
        return share;
    }

    /** Kills no more, and waits for the end of a restart. */
    void stop() throws InterruptedException {
        sampler.interrupt();
        killer.interrupt();
        killer.join();
        sampler.join();
    }
}
