package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
import org.jspecify.annotations.Nullable;

/**
 * Invariants of rate, time and users of one row: a rate is a count per time, and concurrency is rate x time (Little, "A
 * proof for the queuing formula L = lambda W", Operations Research 1961). In a closed model, count x mean / users is
 * therefore the duration of the run.
 */
final class RateChecks {
    /** Different tools measure the duration of a run from slightly different moments. */
    private static final double SLACK = 1.02;

    /** A rate this far below count / time is that of something else. */
    private static final double MIN_RATE_RATIO = 0.9;

    /** Users that spend less than this share of the time in transactions are busy with something else. */
    private static final double IDLE = 0.5;

    /** The assumed maximum of a last transaction beyond the end, in means, when the maximum is not given. */
    private static final double LONGEST = 10;

    private final ResultRow row;
    private final Findings findings;

    private RateChecks(ResultRow row, Findings findings) {
        this.row = row;
        this.findings = findings;
    }

    static void check(ResultRow row, Findings findings) {
        RateChecks checks = new RateChecks(row, findings);
        checks.rate();
        checks.longest();
        if (row.has("mean_ms", "count")) {
            checks.users("users");
            checks.users("users_max");
        }
        checks.inFlight();
    }

    private void rate() {
        if (!row.has("tps", "count", "seconds") || row.get("seconds").low() <= 0) {
            return;
        }
        PrintedNumber tps = row.get("tps");
        PrintedNumber seconds = row.get("seconds");
        double most = row.get("count").high() / seconds.low();
        String text = row.get("count") + " in " + seconds + " s are "
                + Figures.number(row.get("count").value() / seconds.value()) + "/s";
        if (tps.low() > SLACK * most) {
            findings.impossible(row, text + ", not " + tps);
        }
        double errors =
                row.has("errors") ? row.get("errors").high() : row.get("count").high() * share();
        double least = (row.get("count").low() - errors) / seconds.high();
        if (tps.high() < MIN_RATE_RATIO * least) {
            findings.suspicious(
                    row, text + ", and " + tps + " is far less: the columns are not from the same time range");
        }
    }

    /** The maximum share of errors; 0 when not given. */
    private double share() {
        PrintedNumber percent = row.find("error_percent");
        return percent == null ? 0 : Math.min(1, percent.high() / 100);
    }

    private void longest() {
        if (row.has("max_ms", "seconds")
                && row.get("max_ms").low() > 1e3 * SLACK * row.get("seconds").high()) {
            findings.suspicious(
                    row,
                    "the maximum of " + row.get("max_ms") + " ms is longer than the run of " + row.get("seconds")
                            + " s: the duration excludes the end of the run");
        }
    }

    private void users(String key) {
        PrintedNumber users = row.find(key);
        PrintedNumber seconds = seconds();
        if (users == null || seconds == null || users.low() <= 0) {
            return;
        }
        PrintedNumber mean = row.get("mean_ms");
        PrintedNumber think = row.has("think_ms") ? row.get("think_ms") : new PrintedNumber(0, 0);
        double longest = row.has("max_ms") ? row.get("max_ms").high() : LONGEST * mean.high();
        PrintedNumber timed = row.timed();
        double each = timed.value() / users.value();
        double least = timed.low() * (mean.low() + think.low()) / users.high() / 1e3;
        String text = timed + " x " + mean + " ms" + (think.value() > 0 ? " (+ " + think + " ms think time)" : "")
                + " / " + users + " users are " + Figures.number(each * (mean.value() + think.value()) / 1e3)
                + " s per user, in a run of " + seconds + " s";
        if (least > SLACK * seconds.high() + (longest + think.high()) / 1e3) {
            findings.impossible(row, text);
        } else if (key.equals("users") && each * (mean.high() + think.high()) / 1e3 < IDLE * seconds.low()) {
            findings.suspicious(row, text + ": they were idle most of the time, or the count is from another run");
        }
    }

    /**
     * The maximum duration of the run: as given, or derived from the rate of correct answers, which cannot exceed count
     * / time.
     */
    private @Nullable PrintedNumber seconds() {
        PrintedNumber given = row.find("seconds");
        if (given != null || !row.has("tps") || row.get("tps").low() <= 0) {
            return given;
        }
        double most = row.get("count").high() / row.get("tps").low();
        double value = row.get("count").value() / row.get("tps").value();
        return new PrintedNumber(value, most - value);
    }

    /** Half of all transactions are in flight for at least the median. */
    private void inFlight() {
        if (row.has("in_flight_max", "tps", "service_p50_ms")) {
            double least = row.get("tps").low() * row.get("service_p50_ms").low() / 1e3 / 2;
            if (least > SLACK * row.get("in_flight_max").high() + 1) {
                findings.impossible(
                        row,
                        row.get("tps") + "/s with a median of " + row.get("service_p50_ms")
                                + " ms need at least " + Figures.number(least)
                                + " in flight on average, but the maximum is "
                                + row.get("in_flight_max"));
            }
        }
    }
}
