package dev.penstock.http;

import dev.penstock.CallContext;
import dev.penstock.Observation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums up the times of exchanges, and passes the times of each to a listener, and to the observation of its transaction. Exceptions
 * of the listener do not affect the ending. Thread-safe.
 */
final class ExchangeMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(ExchangeMonitor.class);

    private final String where;
    private final @Nullable Consumer<? super ExchangeTimes> listener;
    private final AtomicBoolean hasThrown = new AtomicBoolean();
    private final LongAdder count = new LongAdder();
    private final LongAdder waiting = new LongAdder();
    private final LongAdder connecting = new LongAdder();
    private final LongAdder securing = new LongAdder();
    private final LongAdder sending = new LongAdder();
    private final LongAdder answering = new LongAdder();
    private final LongAdder receiving = new LongAdder();
    private final LongAdder inside = new LongAdder();

    /** @param where the address of the target */
    ExchangeMonitor(String where, @Nullable Consumer<? super ExchangeTimes> listener) {
        this.where = where;
        this.listener = listener;
    }

    /**
     * An exchange has ended.
     *
     * @param answer null for none
     */
    void note(ExchangeTimes times, HttpCall call, @Nullable HttpAnswer answer) {
        sum(times);
        Observation observation = CallContext.currentObservation();
        if (observation != null) {
            long received = answer == null ? 0 : answer.body().length;
            long sent = times.sending() > 0 ? call.body().length : 0;
            observation.exchanged(new Observation.Exchange(where, times::forEach, sent, received));
        }
    }

    private void sum(ExchangeTimes times) {
        count.increment();
        waiting.add(times.waiting());
        if (times.connecting() > 0) {
            connecting.add(times.connecting());
            securing.add(times.securing());
        }
        sending.add(times.sending());
        answering.add(times.answering());
        receiving.add(times.receiving());
        inside.add(times.inside());
        if (listener != null) {
            callListener(listener, times);
        }
    }

    private void callListener(Consumer<? super ExchangeTimes> target, ExchangeTimes times) {
        try {
            target.accept(times);
        } catch (RuntimeException | Error e) {
            // Errors too: they must not discard an answer.
            if (hasThrown.compareAndSet(false, true)) {
                LOG.warn("the monitor of a target threw an exception; further ones are not logged: {}", e.toString());
            }
        }
    }

    /** Nanoseconds per part, and {@code count}, since the start. */
    Map<String, Long> totals() {
        Map<String, Long> totals = new LinkedHashMap<>();
        totals.put("count", count.sum());
        totals.put("waiting", waiting.sum());
        totals.put("connecting", connecting.sum());
        totals.put("securing", securing.sum());
        totals.put("sending", sending.sum());
        totals.put("answering", answering.sum());
        totals.put("receiving", receiving.sum());
        totals.put("inside", inside.sum());
        return totals;
    }
}
