package dev.penstock.lab.measure;

import java.util.Locale;

/** The series of a time line, and how the values of two intervals are merged. */
enum Series {
    /** Transactions due, per second. */
    RATE(Merge.BY_TIME),
    /** Correct answers, per second. */
    TPS(Merge.BY_TIME),
    /** Other endings, per second. */
    ERRORS(Merge.BY_TIME),
    /** Median response time of transactions that ended, as in the whole. */
    P50_MS(Merge.BY_COUNT),
    /** Their 99th percentile. */
    P99_MS(Merge.BY_COUNT),
    /** Their maximum. */
    MAX_MS(Merge.MAX),
    /** Maximum lag of the generator. */
    LAG_MS(Merge.MAX),
    /** Transactions in flight at the end of the interval. */
    IN_FLIGHT(Merge.LAST),
    /** CPU time of this JVM; 100 is one core. */
    CPU_PERCENT(Merge.BY_TIME),
    /** Heap allocation of this JVM. */
    ALLOC_MB_PER_S(Merge.BY_TIME),
    /** Heap in use at the end of the interval. */
    HEAP_MB(Merge.LAST),
    /** Total GC pauses in the interval. */
    GC_MS(Merge.SUM),
    /** Platform threads at the end of the interval. */
    THREADS(Merge.LAST),
    /** CPU time of the other watched processes; 100 is one core. */
    CHILD_CPU_PERCENT(Merge.BY_TIME),
    /** Their resident memory at the end of the interval. */
    CHILD_RSS_MB(Merge.LAST),
    /** TCP connections of the whole machine at the end of the interval. */
    TCP_ESTABLISHED(Merge.LAST),
    /** TCP segments retransmitted by the whole machine in the interval. */
    TCP_RETRANSMITS(Merge.SUM),
    /** Datagrams dropped at full receive buffers in the interval, on the whole machine. */
    UDP_DROPS(Merge.SUM);

    private enum Merge {
        BY_TIME,
        /** A mean weighted by ended transactions: accurate enough for a plot; exact values would need histograms. */
        BY_COUNT,
        MAX,
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

    /** The merged value of two consecutive intervals; NaN means unknown. */
    double merged(Interval first, Interval second) {
        double a = first.value(this);
        double b = second.value(this);
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(b) ? a : b;
        }
        return switch (merge) {
            case BY_TIME -> mean(a, first.nanos(), b, second.nanos());
            case BY_COUNT -> mean(a, first.ended(), b, second.ended());
            case MAX -> Math.max(a, b);
            case LAST -> b;
            case SUM -> a + b;
        };
    }

    private static double mean(double a, long weightA, double b, long weightB) {
        double all = (double) weightA + weightB;
        return all == 0 ? (a + b) / 2 : (a * weightA + b * weightB) / all;
    }
}
