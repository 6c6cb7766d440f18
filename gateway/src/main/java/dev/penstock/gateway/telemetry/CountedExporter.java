package dev.penstock.gateway.telemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the spans that ended and those that were sent, and logs when the receiver begins to fail. Thread-safe.
 *
 * @param to sends spans
 */
record CountedExporter(SpanExporter to, String where, LongAdder ended, LongAdder sent, AtomicBoolean failing)
        implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(CountedExporter.class);

    CountedExporter(SpanExporter to, String where) {
        this(to, where, new LongAdder(), new LongAdder(), new AtomicBoolean());
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = to.export(spans);
        return result.whenComplete(() -> completed(spans.size(), result));
    }

    private void completed(int count, CompletableResultCode result) {
        if (result.isSuccess()) {
            sent.add(count);
            failing.set(false);
        } else if (!failing.getAndSet(true)) {
            Throwable why = result.getFailureThrowable();
            LOG.warn(
                    "telemetry: {} does not accept traces, which are dropped until it does; check telemetry.otlp{}",
                    where,
                    why == null ? "" : " (" + why + ")");
        }
    }

    /** Logs the number of spans that were not sent. To be called last. */
    void report() {
        long all = ended.sum();
        long lost = all - sent.sum();
        if (lost > 0) {
            LOG.warn("telemetry: {} of {} spans were not sent to {}", lost, all, where);
        }
    }

    @Override
    public CompletableResultCode flush() {
        return to.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return to.shutdown();
    }

    /** Counts the spans that ended, before they enter the queue. */
    SpanProcessor counter() {
        return new Counter(ended);
    }

    private record Counter(LongAdder ended) implements SpanProcessor {
        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            if (span.getSpanContext().isSampled()) {
                ended.increment();
            }
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }
}
