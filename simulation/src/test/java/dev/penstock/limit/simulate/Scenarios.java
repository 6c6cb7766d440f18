package dev.penstock.limit.simulate;

import static dev.penstock.limit.simulate.Behaviour.servers;
import static dev.penstock.limit.simulate.Scenario.named;

import dev.penstock.limit.simulate.Behaviour.Spread;
import dev.penstock.limit.simulate.Scenario.Story;
import java.util.List;

/** All scenarios. In each the best limit moves at least twice. */
final class Scenarios {
    private Scenarios() {}

    static List<Scenario> all() {
        return List.of(
                fixed(),
                spread(),
                slowTarget(),
                cpuBound(),
                pastTheKnee(),
                hardCap(),
                latencyDrift(),
                slowRamp(),
                blackhole(),
                fastFailures(),
                trickle(),
                bursts(),
                calm(),
                fast(),
                slow());
    }

    /** The plainest: so many servers, all work the same. */
    private static Scenario fixed() {
        return named("fixed", 2)
                .phase(40, servers(20, 100), 600, 20)
                .phase(40, servers(80, 100), 2_400, 80)
                .phase(40, servers(12, 100), 360, 12)
                .phase(40, servers(40, 100), 1_200, 40)
                .end();
    }

    private static Scenario spread() {
        return named("spread", 2)
                .phase(40, servers(16, 100).with(Spread.EXPONENTIAL), 400, 18)
                .phase(40, servers(64, 100).with(Spread.EXPONENTIAL), 1_600, 68)
                .phase(40, servers(24, 100).with(Spread.EXPONENTIAL), 600, 26)
                .end();
    }

    /** A gateway that answers in a second, as payment gateways do. */
    private static Scenario slowTarget() {
        return named("slow-target", 5)
                .phase(60, servers(200, 1_000).with(Spread.UNIFORM), 500, 204)
                .phase(60, servers(60, 1_000).with(Spread.UNIFORM), 200, 62)
                .phase(60, servers(240, 1_000).with(Spread.UNIFORM), 600, 244)
                .end();
    }

    /** 20 ms of waiting and 4 ms of CPU on few cores, shared by all that is inside. */
    private static Scenario cpuBound() {
        return named("cpu-bound", 1)
                .phase(40, servers(2, 4).delayed(20).shared(0.0002).with(Spread.UNIFORM), 1_500, 24)
                .phase(40, servers(8, 4).delayed(20).shared(0.0002).with(Spread.UNIFORM), 6_000, 75)
                .phase(40, servers(1, 4).delayed(20).shared(0.0002).with(Spread.UNIFORM), 750, 12)
                .end();
    }

    /** Throughput falls with each one too many. */
    private static Scenario pastTheKnee() {
        return named("past-the-knee", 2)
                .phase(40, servers(30, 100).shared(0.02), 900, 30)
                .phase(40, servers(10, 100).shared(0.02), 300, 10)
                .phase(40, servers(50, 100).shared(0.02), 1_500, 50)
                .end();
    }

    private static Scenario hardCap() {
        return named("hard-cap", 2)
                .phase(40, servers(400, 200).with(Spread.UNIFORM).capped(40), 600, 40)
                .phase(40, servers(400, 200).with(Spread.UNIFORM).capped(120), 1_800, 120)
                .phase(40, servers(400, 200).with(Spread.UNIFORM).capped(25), 375, 25)
                .end();
    }

    /** The way there gets longer and shorter again, while the target takes 200 a second. */
    private static Scenario latencyDrift() {
        Story story = named("latency-drift", 3).phase(30, servers(1, 5).delayed(50), 400, 11);
        for (int step = 1; step <= 60; step++) {
            double delay = 50 + 350 * step / 60.0;
            story.step(1, servers(1, 5).delayed(delay), 400, best(delay));
        }
        story.phase(30, servers(1, 5).delayed(400), 400, best(400));
        for (int step = 1; step <= 60; step++) {
            double delay = 400 - 300 * step / 60.0;
            story.step(1, servers(1, 5).delayed(delay), 400, best(delay));
        }
        return story.phase(30, servers(1, 5).delayed(100), 400, best(100)).end();
    }

    private static int best(double delayMillis) {
        return (int) Math.ceil(1 + delayMillis / 5);
    }

    /** Servers are added one by one, then taken away faster. */
    private static Scenario slowRamp() {
        Story story = named("slow-ramp", 2).phase(30, servers(10, 100), 1_500, 10);
        for (int servers = 11; servers <= 100; servers++) {
            story.step(1, servers(servers, 100), 1_500, servers);
        }
        story.phase(30, servers(100, 100), 1_500, 100);
        for (int servers = 98; servers >= 20; servers -= 2) {
            story.step(1, servers(servers, 100), 1_500, servers);
        }
        return story.phase(30, servers(20, 100), 1_500, 20).end();
    }

    private static Scenario blackhole() {
        return named("blackhole", 1)
                .phase(30, servers(40, 50), 1_600, 40)
                .step(10, servers(40, 50).silenced(), 1_600, 40)
                .phase(30, servers(40, 50), 1_600, 40)
                .step(3, servers(80, 50).silenced(), 3_200, 80)
                .phase(30, servers(80, 50), 3_200, 80)
                .phase(30, servers(20, 50), 800, 20)
                .end();
    }

    /** What fails at once, and has nothing to do with load, is not to draw the limit up or down. */
    private static Scenario fastFailures() {
        return named("fast-failures", 2)
                .phase(30, servers(30, 100), 900, 30)
                .phase(30, servers(30, 100).failing(0.5), 1_800, 31)
                .step(10, servers(30, 100).failing(1), 900, 30)
                .phase(30, servers(60, 100), 1_800, 60)
                .phase(30, servers(15, 100).failing(0.3), 900, 16)
                .end();
    }

    private static Scenario trickle() {
        return named("trickle", 2)
                .phase(60, servers(30, 100), 900, 30)
                .step(300, servers(30, 100), 1, 30)
                .phase(40, servers(60, 100), 1_800, 60)
                .step(300, servers(60, 100), 1, 60)
                .phase(40, servers(15, 100), 450, 15)
                .end();
    }

    private static Scenario bursts() {
        return named("bursts", 1)
                .bursts(60, servers(40, 50), 400, 0.2, 80)
                .bursts(60, servers(20, 50), 200, 0.2, 40)
                .bursts(60, servers(60, 50), 600, 0.2, 120)
                .end();
    }

    /** Less than the target can do: the limit is not to be felt at all. */
    private static Scenario calm() {
        return named("calm", 2)
                .phase(60, servers(50, 100).with(Spread.EXPONENTIAL), 250, 50)
                .phase(60, servers(100, 100).with(Spread.EXPONENTIAL), 500, 100)
                .phase(60, servers(50, 100).with(Spread.EXPONENTIAL), 250, 50)
                .end();
    }

    /** Tens of thousands a second. */
    private static Scenario fast() {
        return named("fast", 0.1)
                .phase(20, servers(40, 1), 50_000, 40)
                .phase(20, servers(15, 1), 30_000, 15)
                .phase(20, servers(50, 1), 60_000, 50)
                .end();
    }

    /** About one a second. */
    private static Scenario slow() {
        return named("slow", 30)
                .phase(1_500, servers(5, 5_000), 2, 5)
                .phase(900, servers(10, 5_000), 4, 10)
                .phase(900, servers(4, 5_000), 1.6, 4)
                .end();
    }
}
