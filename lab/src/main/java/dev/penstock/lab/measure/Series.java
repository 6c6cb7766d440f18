package dev.penstock.lab.measure;

import java.util.Locale;

/** What a time line tells of each interval, and how it is told of two intervals that become one. */
enum Series {
    /** Transactions due, for each second. */
    RATE(Merge.BY_TIME),
    /** Right answers that came, for each second. */
    TPS(Merge.BY_TIME),
    /** Transactions that ended otherwise, for each second. */
    ERRORS(Merge.BY_TIME),
    /** Median response of those that ended. */
    P50_MS(Merge.BY_COUNT),
    /** Their 99th percentile. */
    P99_MS(Merge.BY_COUNT),
    /** The slowest of them. */
    MAX_MS(Merge.MOST),
    /** How late the generator started one at most. */
    LAG_MS(Merge.MOST),
    /** Transactions without an ending at the end of the interval. */
    IN_FLIGHT(Merge.LAST),
    /** CPU time of this JVM; 100 is one core. */
    CPU_PERCENT(Merge.BY_TIME),
    /** What it allocated on the heap. */
    ALLOC_MB_PER_S(Merge.BY_TIME),
    /** The heap in use at the end of the interval. */
    HEAP_MB(Merge.LAST),
    /** Pauses for collections in the interval, in all. */
    GC_MS(Merge.SUM),
    /** Platform threads at the end of the interval. */
    THREADS(Merge.LAST),
    /** CPU time of the processes watched beside this JVM; 100 is one core. */
    CHILD_CPU_PERCENT(Merge.BY_TIME),
    /** The memory that they held at the end of the interval. */
    CHILD_RSS_MB(Merge.LAST),
    /** TCP connections of the whole machine at the end of the interval. */
    TCP_ESTABLISHED(Merge.LAST),
    /** TCP segments that the whole machine sent again in the interval. */
    TCP_RETRANSMITS(Merge.SUM),
    /** Datagrams that found a full receive buffer in the interval, on the whole machine. */
    UDP_DROPS(Merge.SUM);

    private enum Merge {
        BY_TIME,
        /** A mean weighted by what ended: near enough for a plot, where only histograms would tell it exactly. */
        BY_COUNT,
        MOST,
        LAST,
        SUM
    }

    private final Merge merge;

    Series(Merge merge) {
        this.merge = merge;
    }

    /** Its name in result files. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its value for two intervals that follow each other; NaN is nothing to tell. */
    double merged(Interval first, Interval second) {
        double a = first.value(this);
        double b = second.value(this);
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(b) ? a : b;
        }
        return switch (merge) {
            case BY_TIME -> mean(a, first.nanos(), b, second.nanos());
            case BY_COUNT -> mean(a, first.ended(), b, second.ended());
            case MOST -> Math.max(a, b);
            case LAST -> b;
            case SUM -> a + b;
        };
    }

    private static double mean(double a, long weightA, double b, long weightB) {
        double all = (double) weightA + weightB;
        return all == 0 ? (a + b) / 2 : (a * weightA + b * weightB) / all;
    }
}
