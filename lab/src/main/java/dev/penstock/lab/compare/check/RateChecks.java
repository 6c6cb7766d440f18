package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;
import org.jspecify.annotations.Nullable;

/**
 * What rate, time and users of one row obey: a rate is a count in a time, and what is in flight is rate x time (Little, "A
 * proof for the queuing formula L = lambda W", Operations Research 1961). With users who wait for their answers it follows
 * that count x mean / users is the time of the run.
 */
final class RateChecks {
    /** Runs are timed from slightly different moments by different tools. */
    private static final double SLACK = 1.02;

    /** A rate this far below count / time is of something else. */
    private static final double FAR = 0.9;

    /** Users that are in a transaction less than this share of the time do something else too. */
    private static final double IDLE = 0.5;

    /** How many means a last transaction may take beyond the end, when the longest is not told. */
    private static final double LONGEST = 10;

    private final ResultRow row;
    private final Findings findings;

    private RateChecks(ResultRow row, Findings findings) {
        this.row = row;
        this.findings = findings;
    }

    static void look(ResultRow row, Findings findings) {
        RateChecks laws = new RateChecks(row, findings);
        laws.rate();
        laws.longest();
        if (row.has("mean_ms", "count")) {
            laws.users("users");
            laws.users("users_max");
        }
        laws.inFlight();
    }

    private void rate() {
        if (!row.has("tps", "count", "seconds") || row.get("seconds").low() <= 0) {
            return;
        }
        PrintedNumber tps = row.get("tps");
        PrintedNumber seconds = row.get("seconds");
        double most = row.get("count").high() / seconds.low();
        String text = row.get("count") + " in " + seconds + " s are "
                + Figures.number(row.get("count").value() / seconds.value()) + " a second";
        if (tps.low() > SLACK * most) {
            findings.impossible(row, text + ", not " + tps);
        }
        double errors =
                row.has("errors") ? row.get("errors").high() : row.get("count").high() * share();
        double least = (row.get("count").low() - errors) / seconds.high();
        if (tps.high() < FAR * least) {
            findings.suspicious(row, text + ", and " + tps + " is far less: the columns are not of the same time");
        }
    }

    /** The share of errors at most; 0 when nothing tells of any. */
    private double share() {
        PrintedNumber percent = row.find("error_percent");
        return percent == null ? 0 : Math.min(1, percent.high() / 100);
    }

    private void longest() {
        if (row.has("max_ms", "seconds")
                && row.get("max_ms").low() > 1e3 * SLACK * row.get("seconds").high()) {
            findings.suspicious(
                    row,
                    "the longest of " + row.get("max_ms") + " ms took longer than the run of " + row.get("seconds")
                            + " s: the time of the run leaves out its end");
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
        double each = row.get("count").value() / users.value();
        double least = row.get("count").low() * (mean.low() + think.low()) / users.high() / 1e3;
        String text =
                row.get("count") + " x " + mean + " ms" + (think.value() > 0 ? " (+ " + think + " ms thinking)" : "")
                        + " / " + users + " users are " + Figures.number(each * (mean.value() + think.value()) / 1e3)
                        + " s for each of them, in a run of " + seconds + " s";
        if (least > SLACK * seconds.high() + (longest + think.high()) / 1e3) {
            findings.impossible(row, text);
        } else if (key.equals("users") && each * (mean.high() + think.high()) / 1e3 < IDLE * seconds.low()) {
            findings.suspicious(
                    row, text + ": they did something else most of the time, or the count is of another run");
        }
    }

    /** How long the run was at most: as it is told, or else as the rate of right answers tells, which is not above count / time. */
    private @Nullable PrintedNumber seconds() {
        PrintedNumber told = row.find("seconds");
        if (told != null || !row.has("tps") || row.get("tps").low() <= 0) {
            return told;
        }
        double most = row.get("count").high() / row.get("tps").low();
        double value = row.get("count").value() / row.get("tps").value();
        return new PrintedNumber(value, most - value);
    }

    /** Half of all are in flight for at least the median. */
    private void inFlight() {
        if (row.has("in_flight_max", "tps", "service_p50_ms")) {
            double least = row.get("tps").low() * row.get("service_p50_ms").low() / 1e3 / 2;
            if (least > SLACK * row.get("in_flight_max").high() + 1) {
                findings.impossible(
                        row,
                        row.get("tps") + " a second with a median of " + row.get("service_p50_ms")
                                + " ms have at least " + Figures.number(least) + " in flight on average, and "
                                + row.get("in_flight_max") + " were the most");
            }
        }
    }
}
