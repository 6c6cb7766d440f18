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
 * What one load of datagrams measured.
 *
 * @param load as of any load: {@code lost} is what was sent and never answered, {@code shed} what was due and never sent; times
 *     count from when a datagram was due, in a burst from the burst's beginning, the service time from when it was sent; the lag is that of single datagrams, of bursts
 *     that of each one's first
 * @param sent how many were sent; right + wrong + lost of it
 * @param perSecond how many were sent a second
 * @param duplicates answers to what was answered before
 * @param late answers to what had been counted as lost, after some 4 million more were sent
 * @param strange answers to what never was sent
 * @param droppedHere answers that the kernel dropped at the sender's own socket: they are among the lost; empty where it does
 *     not tell
 * @param losses which were lost, by number in order from 0 on, the first 1,000 stretches
 * @param notKept why the sender did not keep its cadence, so that the loss says nothing of the other side; null when it did
 */
public record DatagramResult(
        LoadResult load,
        long sent,
        double perSecond,
        long duplicates,
        long late,
        long strange,
        OptionalLong droppedHere,
        List<Loss> losses,
        @Nullable String notKept) {
    private static final int STRETCHES_TOLD = 5;

    /** Copies the list. */
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
        double window = load.lasting.toNanos() / 1e9;
        Counts counts = new Counts(
                tally.sent() + shed, tally.right(), tally.wrong(), 0, 0, 0, tally.lost(), shed, answers(tally));
        Latency response = Latency.of(times.response());
        Latency service = Latency.of(times.service());
        Latency lag = Latency.of(times.lag());
        String notKept = notKept(counts);
        LoadResult result = new LoadResult(
                load.toString(),
                window,
                counts,
                rightInTime / window,
                response,
                service,
                lag,
                (int) Math.min(Integer.MAX_VALUE, tally.mostWaiting()),
                tally.sent(),
                used,
                validity(counts, response, lag, notKept),
                List.of(),
                null);
        return new DatagramResult(
                result,
                tally.sent(),
                tally.sent() * 1e9 / sendingNanos,
                tally.duplicates(),
                tally.late(),
                tally.strange(),
                dropped,
                tally.losses(),
                notKept);
    }

    private static Map<String, Map<String, Long>> answers(DatagramTally tally) {
        Map<String, Long> answers = new LinkedHashMap<>(Map.of("right", tally.right(), "wrong", tally.wrong()));
        answers.values().removeIf(count -> count == 0);
        return answers.isEmpty() ? Map.of() : Map.of("answered", answers);
    }

    private static Validity validity(Counts counts, Latency response, Latency lag, @Nullable String notKept) {
        if (notKept != null) {
            return new Validity(notKept);
        }
        // Where nothing was answered there is no time for the lag to be compared with, and no figure that it could
        // spoil.
        return counts.offered() > 0 && response.count() == 0 ? Validity.VALID : Validity.of(counts, response, lag);
    }

    private static @Nullable String notKept(Counts counts) {
        if (counts.shed() <= Validity.MOST_SHED * counts.offered()) {
            return null;
        }
        return String.format(
                Locale.ROOT,
                "the sender could not send %,d of %,d datagrams when they were due (%.2f %%, at most 0.1 %% is allowed):"
                        + " lower the rate or give it more cores",
                counts.shed(),
                counts.offered(),
                100.0 * counts.shed() / counts.offered());
    }

    /** The same, valid whenever the sender kept its cadence: for what counts loss, or times from when each was really sent. */
    DatagramResult judgedByCadence() {
        return new DatagramResult(
                load.withValidity(new Validity(notKept)),
                sent,
                perSecond,
                duplicates,
                late,
                strange,
                droppedHere,
                losses,
                notKept);
    }

    /** How many were sent and never answered. */
    public long lost() {
        return load.counts().lost();
    }

    /** The share of what was sent that never was answered, 0 to 1. */
    public double lostShare() {
        return sent == 0 ? 0 : (double) lost() / sent;
    }

    /**
     * The numbers under the keys of result files: those of any load, {@code pps} (sent a second), {@code duplicates}, {@code
     * late}, and {@code drops}: what the kernel dropped at the sender's own socket.
     */
    public Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>(load.metrics());
        metrics.put("pps", perSecond);
        metrics.put("duplicates", (double) duplicates);
        metrics.put("late", (double) late);
        droppedHere.ifPresent(dropped -> metrics.put("drops", (double) dropped));
        return metrics;
    }

    /** What a table of loads does not show, in a few lines for people. */
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(String.format(
                Locale.ROOT,
                "sent %,d datagrams, %,.0f a second; right answers %,d, wrong %,d, lost %,d (%.3f %%), twice %,d, late %,d, strange %,d",
                sent,
                perSecond,
                load.counts().right(),
                load.counts().wrong(),
                lost(),
                100 * lostShare(),
                duplicates,
                late,
                strange));
        if (lost() > 0) {
            notes.add(where());
            notes.add("lost by number: " + stretches());
        }
        return List.copyOf(notes);
    }

    private String where() {
        if (droppedHere.isEmpty()) {
            return "where they were lost is not known: this system does not tell what it dropped";
        }
        long here = Math.min(droppedHere.getAsLong(), lost());
        return String.format(
                Locale.ROOT,
                "of the lost, %,d answers were dropped at the sender's own socket; %,d were lost on the way, or not answered",
                here,
                lost() - here);
    }

    private String stretches() {
        String some = losses.stream()
                .limit(STRETCHES_TOLD)
                .map(loss -> loss.count() == 1
                        ? String.format(Locale.ROOT, "%,d", loss.first())
                        : String.format(Locale.ROOT, "%,d to %,d", loss.first(), loss.last()))
                .collect(Collectors.joining("; "));
        return losses.size() > STRETCHES_TOLD ? some + "; and more" : some;
    }
}
