package dev.penstock.lab.datagram;

import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.measure.Validity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one load of datagrams.
 *
 * @param load as of any load: {@code lost} counts those sent and never answered, {@code shed} those due and never sent.
 *     Response times start when a datagram was due (in a burst: at the start of the burst), and a lost one counts with the time
 *     it waited at least; service times start when it was sent, and are of right answers only. The lag covers single datagrams,
 *     and the first datagram of each burst
 * @param sent datagrams sent; equals right + wrong + lost
 * @param perSecond datagrams sent per second
 * @param duplicates answers to datagrams already answered
 * @param late answers to datagrams already counted as lost, after about 4 million later ones were sent
 * @param unexpected answers to datagrams never sent
 * @param droppedHere answers dropped by the kernel at the sender's own socket, included in lost; empty when
 *     not available
 * @param losses the lost numbers, from 0, as ranges; the first 1,000
 * @param senderProblem why the sender did not keep its cadence, so that the loss does not measure the peer; null when it did
 */
public record DatagramResult(
        LoadResult load,
        long sent,
        double perSecond,
        long duplicates,
        long late,
        long unexpected,
        OptionalLong droppedHere,
        List<Loss> losses,
        @Nullable String senderProblem) {
    private static final int RANGES_SHOWN = 5;

    public DatagramResult {
        losses = List.copyOf(losses);
    }

    static DatagramResult of(
            DatagramLoad load,
            DatagramTally tally,
            long shed,
            long rightInTime,
            long sendingNanos,
            OptionalLong dropped,
            DatagramRun.Latencies times,
            ProcessUse used) {
        double window = Math.min(load.lasting.toNanos(), sendingNanos) / 1e9;
        Counts counts = new Counts(
                tally.sent() + shed, tally.right(), tally.wrong(), 0, 0, 0, tally.lost(), shed, answers(tally));
        Latency answered = Latency.of(times.response());
        Latency service = Latency.of(times.service());
        Latency lag = Latency.of(times.lag());
        String senderProblem = senderProblem(counts);
        LoadResult result = new LoadResult(
                load.toString(),
                window,
                counts,
                rightInTime / window,
                tally.lost() == 0 ? answered : times.withLost(tally.lost()),
                Latency.of(times.failures()),
                service,
                lag,
                (int) Math.min(Integer.MAX_VALUE, tally.maxWaiting()),
                tally.sent(),
                used,
                validity(counts, answered, service, lag, senderProblem),
                List.of(),
                Map.of(),
                null);
        return new DatagramResult(
                result,
                tally.sent(),
                tally.sent() * 1e9 / sendingNanos,
                tally.duplicates(),
                tally.late(),
                tally.unexpected(),
                dropped,
                tally.losses(),
                senderProblem);
    }

    private static Map<String, Map<String, Long>> answers(DatagramTally tally) {
        Map<String, Long> answers = new LinkedHashMap<>(Map.of("right", tally.right(), "wrong", tally.wrong()));
        answers.values().removeIf(count -> count == 0);
        return answers.isEmpty() ? Map.of() : Map.of("answered", answers);
    }

    private static Validity validity(
            Counts counts, Latency response, Latency service, Latency lag, @Nullable String senderProblem) {
        if (senderProblem != null) {
            return new Validity(senderProblem);
        }
        return Validity.of(counts, response, service, lag, List.of());
    }

    private static @Nullable String senderProblem(Counts counts) {
        if (counts.shed() <= Validity.MAX_SHED * counts.offered()) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "the sender could not send %,d of %,d datagrams on time (%.2f %%, at most 0.1 %% is allowed):"
                        + " lower the rate or give it more cores",
                counts.shed(),
                counts.offered(),
                100.0 * counts.shed() / counts.offered());
    }

    /**
     * A copy that is valid whenever the sender kept its cadence: for experiments that count loss, or time from the
     * actual send.
     */
    DatagramResult validatedByCadence() {
        return withValidity(new Validity(senderProblem));
    }

    /** A copy with another validity. */
    DatagramResult withValidity(Validity other) {
        return new DatagramResult(
                load.withValidity(other),
                sent,
                perSecond,
                duplicates,
                late,
                unexpected,
                droppedHere,
                losses,
                senderProblem);
    }

    /** The number of datagrams sent and never answered. */
    public long lost() {
        return load.counts().lost();
    }

    /** The share of sent datagrams never answered, 0 to 1. */
    public double lostShare() {
        return sent == 0 ? 0 : (double) lost() / sent;
    }

    /**
     * The values by their keys in result files: those of any load, {@code pps} (sent per second), {@code duplicates},
     * {@code late}, and {@code drops} (answers dropped by the kernel at the sender's own socket).
     */
    public Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>(load.metrics());
        metrics.put("pps", perSecond);
        metrics.put("duplicates", (double) duplicates);
        metrics.put("late", (double) late);
        droppedHere.ifPresent(dropped -> metrics.put("drops", (double) dropped));
        return metrics;
    }

    /** Notes for below the table of results, a line each. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(String.format(
                Locale.ROOT,
                "sent %,d datagrams, %,.0f/s; right answers %,d, wrong %,d, lost %,d (%.3f %%), duplicate %,d, late %,d, unexpected %,d",
                sent,
                perSecond,
                load.counts().right(),
                load.counts().wrong(),
                lost(),
                100 * lostShare(),
                duplicates,
                late,
                unexpected));
        if (lost() > 0) {
            notes.add(where());
            notes.add("lost by number: " + ranges());
        }
        return List.copyOf(notes);
    }

    private String where() {
        if (droppedHere.isEmpty()) {
            return "it is unknown where they were lost: this system does not report drops";
        }
        long here = Math.min(droppedHere.getAsLong(), lost());
        return String.format(
                Locale.ROOT,
                "of the lost, %,d answers were dropped at the sender's own socket; %,d were lost in the network, or not answered",
                here,
                lost() - here);
    }

    private String ranges() {
        String some = losses.stream()
                .limit(RANGES_SHOWN)
                .map(loss -> loss.count() == 1
                        ? String.format(Locale.ROOT, "%,d", loss.first())
                        : String.format(Locale.ROOT, "%,d to %,d", loss.first(), loss.last()))
                .collect(Collectors.joining("; "));
        return losses.size() > RANGES_SHOWN ? some + "; and more" : some;
    }
}
