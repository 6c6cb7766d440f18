package dev.penstock.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up where the time of exchanges goes, and tells who wants to know of each one; what he throws changes no ending. Safe
 * for many threads.
 */
final class ExchangeMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(ExchangeMonitor.class);

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

    ExchangeMonitor(@Nullable Consumer<? super ExchangeTimes> listener) {
        this.listener = listener;
    }

    void note(ExchangeClock clock, boolean answered) {
        note(clock.times(answered));
    }

    void note(ExchangeTimes times) {
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
            tell(listener, times);
        }
    }

    private void tell(Consumer<? super ExchangeTimes> who, ExchangeTimes times) {
        try {
            who.accept(times);
        } catch (RuntimeException | Error e) {
            // An error too: an answer that came must not be lost for it.
            if (hasThrown.compareAndSet(false, true)) {
                LOG.warn("the monitor of a target throws, which is told once: {}", e.toString());
            }
        }
    }

    /** Nanoseconds by part, and {@code count}, since the start. */
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
