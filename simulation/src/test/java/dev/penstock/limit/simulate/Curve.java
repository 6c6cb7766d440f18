package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A scenario that is judged by figures instead of shares of an oracle.
 *
 * @param scenario its target and its load
 * @param usefulSeconds an answer that takes longer is of no use
 * @param fromSeconds from when it is measured
 * @param flows how many limits share the target, each with its part of the load
 * @param fixed the fixed limit with the most useful answers; the lowest of those that are as good
 */
record Curve(Scenario scenario, double usefulSeconds, double fromSeconds, int flows, int fixed) {
    /**
     * How a contestant did, on average over the seeds.
     *
     * @param useful useful answers a second
     * @param worst the same, of the worst seed
     * @param p50 of the times of answers, in milliseconds
     * @param p99 of the times of answers, in milliseconds
     * @param inFlight the mean number at the target
     * @param limit the mean limit, of all flows together
     * @param last the limit at the end, of the highest seed
     * @param rejected the share of what arrived
     * @param refused the share of what was sent
     * @param fairness Jain's index of the useful answers of the flows, in the last third
     */
    record Result(
            double useful,
            double worst,
            double p50,
            double p99,
            double inFlight,
            double limit,
            double last,
            double rejected,
            double refused,
            double fairness) {
        static final String HEAD = """
                |                      | useful/s | worst seed | p50 ms | p99 ms | in flight | limit | at end | rejected | refused | Jain |
                |---|---|---|---|---|---|---|---|---|---|---|
                """;

        /** A line of a table. */
        String line(String name) {
            return String.format(
                    Locale.ROOT,
                    "| %-20s | %8.1f | %10.1f | %6.0f | %6.0f | %9.1f | %5.0f | %6.0f | %8.4f | %7.4f | %4.2f |%n",
                    name,
                    useful,
                    worst,
                    p50,
                    p99,
                    inFlight,
                    limit,
                    last,
                    rejected,
                    refused,
                    fairness);
        }

        private static Result mean(List<Result> all) {
            return new Result(
                    mean(all, Result::useful),
                    all.stream().mapToDouble(Result::worst).min().orElseThrow(),
                    mean(all, Result::p50),
                    mean(all, Result::p99),
                    mean(all, Result::inFlight),
                    mean(all, Result::limit),
                    all.stream().mapToDouble(Result::last).max().orElseThrow(),
                    mean(all, Result::rejected),
                    mean(all, Result::refused),
                    mean(all, Result::fairness));
        }

        private static double mean(List<Result> all, ToDoubleFunction<Result> figure) {
            return all.stream().mapToDouble(figure).average().orElseThrow();
        }
    }

    String name() {
        return scenario.name();
    }

    /** Runs the best fixed limit. */
    Result ofFixed(int seeds) {
        return of(same -> new Tuner.Constant(fixed), seeds);
    }

    /** Runs a contestant with the seeds from 1. */
    Result of(Function<Scenario, Tuner> contestant, int seeds) {
        return Result.mean(LongStream.rangeClosed(1, seeds)
                .parallel()
                .mapToObj(seed -> run(contestant, seed))
                .toList());
    }

    /** The useful answers of a contestant with each seed. */
    DoubleStream useful(Function<Scenario, Tuner> contestant, int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .parallel()
                .mapToDouble(seed -> run(contestant, seed).useful());
    }

    private Result run(Function<Scenario, Tuner> contestant, long seed) {
        List<Tuner> tuners =
                Stream.generate(() -> contestant.apply(scenario)).limit(flows).toList();
        long from = nanos(fromSeconds);
        long to = nanos(scenario.seconds());
        List<Log> logs = Run.of(scenario, tuners, seed, length -> new Log(length, from, nanos(usefulSeconds)));
        double useful = sum(logs, log -> log.useful(from, to)) / ((to - from) / (double) World.SECOND);
        double sent = sum(logs, log -> log.sent(from, to));
        double rejected = sum(logs, log -> log.rejected(from, to));
        return new Result(
                useful,
                useful,
                mean(logs, log -> log.percentileMillis(0.5)),
                mean(logs, Log::p99Millis),
                sum(logs, log -> log.inFlight(from, to)),
                sum(logs, log -> log.meanPermits(from, to)),
                sum(logs, log -> log.permitsAt(to)),
                rejected / Math.max(1, rejected + sent),
                sum(logs, log -> log.refused(from, to)) / Math.max(1, sent),
                fairness(logs, from + 2 * (to - from) / 3, to));
    }

    private static double fairness(List<Log> logs, long from, long to) {
        double sum = sum(logs, log -> log.useful(from, to));
        double squares = sum(logs, log -> Math.pow(log.useful(from, to), 2));
        return squares == 0 ? 0 : sum * sum / (logs.size() * squares);
    }

    private static double sum(List<Log> logs, ToDoubleFunction<Log> figure) {
        return logs.stream().mapToDouble(figure).sum();
    }

    private static double mean(List<Log> logs, ToDoubleFunction<Log> figure) {
        return sum(logs, figure) / logs.size();
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * World.SECOND);
    }
}
