package dev.penstock.limit.simulate;

import static dev.penstock.limit.simulate.Behaviour.servers;
import static dev.penstock.limit.simulate.Scenario.named;

import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.simulate.Behaviour.Spread;
import dev.penstock.limit.simulate.Curve.Result;
import dev.penstock.limit.simulate.Scenario.Story;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

/** The curves, and who is compared on them. Arrivals are at random in all of them, and nearly all times are too. */
final class Curves {
    /** 800 a second. */
    private static final Behaviour FORTY = servers(40, 50).with(Spread.EXPONENTIAL);

    private static final Behaviour UNLIMITED = servers(1_000_000, 50).with(Spread.EXPONENTIAL);

    private static final double NONE = 0;

    /** Our limit, as reports call it. */
    static final String OURS = "adaptive";

    private Curves() {}

    static final List<Curve> ALL = List.of(
            row(drift("drift", NONE, Spread.EXPONENTIAL), 1, 80),
            row(drift("drift-same-times", NONE, Spread.FIXED), 1, 80),
            row(drift("drift-deadline", 2, Spread.EXPONENTIAL), 2, 80),
            row(plain("bucket", 2, UNLIMITED.limitedTo(300, 30), 600), 2, 20),
            row(plain("bucket-failing", 2, UNLIMITED.limitedTo(300, 30).refusingBluntly(), 600), 2, 20),
            row(plain("bucket-near", 2, UNLIMITED.limitedTo(300, 30), 330), 2, 20),
            row(plain("strict", NONE, strict(20), 900), 1, 6),
            row(plain("strict-failing", NONE, strict(20).refusingBluntly(), 900), 1, 6),
            row(plain("strict-near", NONE, strict(20), 330), 1, 4),
            row(plain("strict-slow", NONE, strict(500), 900), 3, 150),
            row(plain("strict-slow-failing", NONE, strict(500).refusingBluntly(), 900), 3, 150),
            row(plain("strict-slow-near", NONE, strict(500), 330), 3, 100),
            row(pauses("pauses", NONE), 3, 1_000),
            row(pauses("pauses-deadline", 2), 2, 1_000),
            fromStart(bursts("bursts-400", 400), 2, 150),
            fromStart(bursts("bursts-1200", 1_200), 2, 500),
            row(plain("rest", NONE, servers(40, 100), 600), 1, 40),
            row(plain("rest-exponential", NONE, servers(40, 100).with(Spread.EXPONENTIAL), 600), 1, 40),
            new Curve(named("two-limits", NONE).phase(120, FORTY, 1_200, 40).end(), 3, 60, 2, 20),
            new Curve(
                    named("two-limits-deadline", 2).phase(120, FORTY, 1_200, 40).end(), 2, 60, 2, 20),
            fromStart(cold("cold-30", 30), 30, 1_000),
            fromStart(cold("cold-5", 5), 5, 1_000),
            fromStart(cold("cold-2", 2), 2, 1_000),
            row(plain("trap", NONE, FORTY.halvedBeyond(60), 1_200), 1, 40),
            row(plain("trap-deadline", 2, FORTY.halvedBeyond(60), 1_200), 2, 40),
            row(plain("knee", 1, servers(4, 4.6).delayed(40).shared(0.0002).with(Spread.UNIFORM), 1_300), 1, 50),
            row(soft("soft", NONE), 1, 150),
            row(soft("soft-deadline", 1), 1, 150),
            row(plain("bimodal", 2, FORTY.with(Spread.BIMODAL), 1_200), 2, 40),
            row(plain("own-queue", 2, FORTY.capped(80), 1_200), 2, 40),
            row(plain("pareto", 2, FORTY.with(Spread.PARETO), 1_200), 2, 40),
            row(plain("lognormal", 2, FORTY.with(Spread.LOGNORMAL), 1_200), 2, 40),
            row(plain("thrashing", 2, FORTY.shared(0.02), 1_200), 2, 40));

    private static Curve row(Scenario scenario, double usefulSeconds, int fixed) {
        return new Curve(scenario, usefulSeconds, 10, 1, fixed);
    }

    private static Curve fromStart(Scenario scenario, double usefulSeconds, int fixed) {
        return new Curve(scenario, usefulSeconds, 0, 1, fixed);
    }

    private static Scenario plain(String name, double deadline, Behaviour target, double rate) {
        return named(name, deadline).phase(60, target, rate, 1).end();
    }

    /** Lets through one in each 300th of a second, and refuses others: 225 of 900 at random. */
    private static Behaviour strict(double millis) {
        return servers(1_000_000, millis).with(Spread.UNIFORM).limitedTo(300, 1);
    }

    /** 50 slots become 80, then 20, then 50 again, within 40 s: 1,000 a second on average. */
    private static Scenario drift(String name, double deadline, Spread spread) {
        Story story = named(name, deadline);
        for (int step = 0; step < 600; step++) {
            int slots = (int) Math.round(50 + 30 * Math.sin(2 * Math.PI * step / 200));
            story.step(0.2, servers(slots, 50).with(spread).shared(0), 1_800, slots);
        }
        return story.end();
    }

    /** Stops for 1.5 s of each 12, as a collector of garbage may. */
    private static Scenario pauses(String name, double deadline) {
        Story story = named(name, deadline);
        for (int i = 0; i < 8; i++) {
            story.step(10.5, FORTY, 560, 40).step(1.5, FORTY.paused(), 560, 40);
        }
        return story.step(10, FORTY, 560, 40).end();
    }

    /** An overload after a quiet start, which has shown the time without load. */
    private static Scenario soft(String name, double deadline) {
        Behaviour target = servers(9, 20).softened(8).with(Spread.UNIFORM);
        return named(name, deadline)
                .step(10, target, 100, 150)
                .phase(60, target, 1_350, 1)
                .end();
    }

    private static Scenario bursts(String name, int atOnce) {
        Story story = named(name, NONE).step(10, FORTY, 2, 40);
        for (int i = 0; i < 10; i++) {
            story.burst(10, FORTY, 2, atOnce, 40);
        }
        return story.end();
    }

    private static Scenario cold(String name, double deadline) {
        return named(name, deadline)
                .phase(20, servers(1_000_000, 1_000), 500, 1_000)
                .end();
    }

    static Map<String, Function<Scenario, Tuner>> others() {
        Map<String, Function<Scenario, Tuner>> others = new LinkedHashMap<>();
        others.put("no limit", scenario -> new Tuner.Constant(10_000));
        others.put("gradient2", scenario -> new Gradient2());
        others.put("vegas", scenario -> new Vegas());
        return others;
    }

    /**
     * Prints how one contestant does on the curves and in the scenarios of old, and which {@linkplain Bound bounds} it misses.
     *
     * @param args the contestant (adaptive), then the number of seeds (3), then beginnings of names of rows (all)
     */
    public static void main(String[] args) {
        Map<String, Function<Scenario, Tuner>> all = new LinkedHashMap<>(Contestants.ours());
        all.putAll(others());
        String name = args.length > 0 ? args[0] : OURS;
        Function<Scenario, Tuner> contestant = name.matches("\\d+")
                ? scenario -> new Tuner.Constant(Integer.parseInt(name))
                : Objects.requireNonNull(all.get(name), () -> "one of " + all.keySet());
        print(
                name,
                contestant,
                args.length > 1 ? Integer.parseInt(args[1]) : 3,
                List.of(args).subList(Math.min(args.length, 2), args.length));
    }

    /** Prints all rows, for the seeds 1 to 3. */
    static void print(Function<Scenario, Tuner> contestant) {
        print(OURS, contestant, 3, List.of());
    }

    static void print(String name, Function<Scenario, Tuner> contestant, int seeds, List<String> beginnings) {
        Predicate<String> wanted =
                row -> beginnings.isEmpty() || beginnings.stream().anyMatch(row::startsWith);
        StringBuilder text = new StringBuilder(Result.HEAD);
        StringBuilder missed = new StringBuilder("\n");
        ALL.parallelStream()
                .filter(row -> wanted.test(row.name()))
                .map(curve -> {
                    Result result = curve.of(contestant, seeds);
                    return new Line(result.line(curve.name()), Bound.missed(curve, result, seeds));
                })
                .forEachOrdered(line -> line.addTo(text, missed));
        text.append("\n").append(Report.HEADER);
        Scenarios.all().parallelStream()
                .filter(row -> wanted.test(row.name()))
                .map(scenario -> {
                    Score score = Score.of(scenario, contestant, 1);
                    return new Line(Report.line(score), Bound.missed(name, score));
                })
                .forEachOrdered(line -> line.addTo(text, missed));
        System.out.print(text.append(missed));
    }

    private record Line(String text, List<String> missed) {
        void addTo(StringBuilder lines, StringBuilder allMissed) {
            lines.append(text);
            missed.forEach(miss -> allMissed.append(miss).append("\n"));
        }
    }

    /** All contestants on all curves, as a text. */
    static String report(int seeds) {
        StringBuilder text = new StringBuilder("""
                # How limits do on single curves

                The curves are described in `Curves`. Times are those of all answers; the share of refusals is that of what was
                sent. Means of %d seeds, mostly without the first 10 s; "at end" is the highest limit that a seed ended with.
                Made by `CurvesTest`.
                """.formatted(seeds));
        ALL.parallelStream().map(curve -> table(curve, seeds)).forEachOrdered(text::append);
        return text.toString();
    }

    private static String table(Curve curve, int seeds) {
        Map<String, Function<Scenario, Tuner>> contestants = new LinkedHashMap<>();
        contestants.put(OURS, scenario -> Contestants.ours(AdaptiveLimit.INITIAL, scenario));
        contestants.put("fixed " + curve.fixed(), scenario -> new Tuner.Constant(curve.fixed()));
        contestants.putAll(others());
        StringBuilder text = new StringBuilder("\n## " + curve.name() + "\n\n" + Result.HEAD);
        contestants.forEach(
                (name, contestant) -> text.append(curve.of(contestant, seeds).line(name)));
        return text.toString();
    }
}
