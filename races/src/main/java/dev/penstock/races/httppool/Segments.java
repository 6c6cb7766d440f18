package dev.penstock.races.httppool;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.lab.load.PaymentXml.Payment;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import dev.penstock.races.httppool.Client.Reply;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts transactions without a correct answer by the way of closing in effect. The load is divided into segments, each
 * from the opening of one window to the opening of the next; what ends in a segment counts for its window's way, and
 * what ends before the first window for none. Pure: times are arguments.
 *
 * <p>Thread-safe.
 */
final class Segments {
    private final FaultSchedule windows;
    private final List<Closing> ways;
    private final Map<Closing, LongAdder> errors = new EnumMap<>(Closing.class);
    private final Map<Closing, LongAdder> unknown = new EnumMap<>(Closing.class);

    /**
     * Nothing counted yet.
     *
     * @param windows when connections are closed
     * @param ways the ways, in the simulator's rotation
     */
    Segments(FaultSchedule windows, List<Closing> ways) {
        this.windows = windows;
        this.ways = List.copyOf(ways);
        for (Closing way : Closing.values()) {
            errors.put(way, new LongAdder());
            unknown.put(way, new LongAdder());
        }
    }

    /** Records an answer. */
    void answered(long nanos, Reply reply) {
        if (!reply.isApproved()) {
            count(errors, nanos);
        }
    }

    /** Records an exception; one that is not an ending counts as unknown. */
    void threw(long nanos, Exception thrown) {
        count(errors, nanos);
        if (!(thrown instanceof Unanswered) || thrown instanceof Unknown) {
            count(unknown, nanos);
        }
    }

    private void count(Map<Closing, LongAdder> counts, long nanos) {
        Closing way = way(nanos);
        LongAdder adder = way == null ? null : counts.get(way);
        if (adder != null) {
            adder.increment();
        }
    }

    /** The way of the segment of this time; null before the first. */
    private @Nullable Closing way(long nanos) {
        long segment = nanos / windows.every().toNanos();
        return segment < 1 ? null : ways.get((int) ((segment - 1) % ways.size()));
    }

    /**
     * {@code errors_header} and so on: transactions without a correct answer in the segments of that way.
     * {@code stale_used}: transactions with an unknown ending in the segments of all ways except cut. There the
     * simulator answers everything it has received, so each of them was sent over a connection already closed or
     * closing. Requests that a client silently retries are not included. Ways that the block did not have are absent.
     */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        double stale = 0;
        for (Closing way : ways) {
            metrics.put("errors_" + way.word(), (double) sum(errors, way));
            stale += way == Closing.CUT ? 0 : sum(unknown, way);
        }
        metrics.put("stale_used", stale);
        return metrics;
    }

    private static long sum(Map<Closing, LongAdder> counts, Closing way) {
        LongAdder adder = counts.get(way);
        return adder == null ? 0 : adder.sum();
    }

    /**
     * A client that records when and how each call ended.
     *
     * @param client makes the calls
     * @param segments receives the records
     * @param ticker the clock
     * @param start start of the load, by the ticker
     */
    record WatchedClient(Client client, Segments segments, Ticker ticker, long start)
            implements Service<Payment, Reply> {
        @Override
        public Reply call(Payment payment) throws Exception {
            try {
                Reply reply = client.call(payment);
                segments.answered(ticker.nanos() - start, reply);
                return reply;
            } catch (Exception e) {
                segments.threw(ticker.nanos() - start, e);
                throw e;
            }
        }
    }
}
