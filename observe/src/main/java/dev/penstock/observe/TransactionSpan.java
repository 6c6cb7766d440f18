package dev.penstock.observe;

import dev.penstock.Observation;
import dev.penstock.Unanswered;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Follows a transaction by a span, which is current until it ends, and its attempts by child spans if it is recorded. */
final class TransactionSpan implements Observation {
    private static final AttributeKey<String> WAIT = AttributeKey.stringKey("penstock.wait");
    private static final AttributeKey<Double> SECONDS = AttributeKey.doubleKey("penstock.wait.duration");
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Traces traces;
    private final String flow;
    private final CurrentSpan transaction;
    private int attempts;
    /** Volatile, because a call that outlived its attempt may read it. */
    private volatile @Nullable CurrentSpan attempt;

    TransactionSpan(Traces traces, String flow, Span span, Context parent) {
        this.traces = traces;
        this.flow = flow;
        this.transaction = CurrentSpan.begin(span, parent);
    }

    Span span() {
        return transaction.span();
    }

    private CurrentSpan innermost() {
        CurrentSpan running = attempt;
        return running == null ? transaction : running;
    }

    @Override
    public String traceId() {
        return span().getSpanContext().getTraceId();
    }

    @Override
    public void waited(Wait what, long nanos) {
        if (span().isRecording()) {
            span().addEvent("wait", Attributes.of(WAIT, what.name().toLowerCase(Locale.ROOT), SECONDS, nanos / NANOS));
        }
    }

    @Override
    public void attempt(long now) {
        if (!span().isRecording()) {
            return;
        }
        Context context = transaction.context();
        Span span = traces.span(flow + " attempt", flow, SpanKind.CLIENT)
                .setParent(context)
                .setAttribute("penstock.attempt", ++attempts)
                .startSpan();
        attempt = CurrentSpan.begin(span, context);
    }

    @Override
    public void attempted(@Nullable Object answer, @Nullable Throwable thrown, long now) {
        CurrentSpan ended = attempt;
        if (ended != null) {
            attempt = null;
            ended.end(answer, thrown, true);
        }
    }

    @Override
    public boolean readsAttributes() {
        return attempt != null;
    }

    @Override
    public void attribute(String name, Object value) {
        CurrentSpan running = attempt;
        if (running != null) {
            traces.describe(running.span(), name, value);
        }
    }

    @Override
    public void propagate(BiConsumer<String, String> fields) {
        traces.inject(innermost().context(), fields);
    }

    @Override
    public Observation batch(List<Observation> all, int size, long now) {
        List<TransactionSpan> transactions = all.stream()
                .filter(TransactionSpan.class::isInstance)
                .map(TransactionSpan.class::cast)
                .toList();
        return BatchSpan.begin(traces, flow, transactions, size);
    }

    /** The context with its span. */
    Context context() {
        return transaction.context();
    }

    @Override
    public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
        transaction.end(answer, ending, false);
    }

    /**
     * Follows a batch by one span, which is current until it ends.
     *
     * @param transactions in the order of the requests, and then those of merged requests
     */
    private record BatchSpan(Traces traces, List<TransactionSpan> transactions, int size, CurrentSpan batch)
            implements Observation {
        private static final AttributeKey<Long> SIZE = AttributeKey.longKey("penstock.batch.size");

        static BatchSpan begin(Traces traces, String flow, List<TransactionSpan> transactions, int size) {
            List<TransactionSpan> recorded = transactions.stream()
                    .filter(each -> each.span().getSpanContext().isSampled())
                    .toList();
            TransactionSpan first = recorded.isEmpty() ? transactions.getFirst() : recorded.getFirst();
            // The baggage of one transaction is not that of the others.
            Context parent =
                    transactions.size() == 1 ? first.context() : Context.root().with(first.span());
            SpanBuilder builder = traces.span(flow + " batch", flow, SpanKind.CLIENT)
                    .setParent(parent)
                    .setAttribute(SIZE, (long) size);
            recorded.forEach(each -> builder.addLink(each.span().getSpanContext()));
            Span span = builder.startSpan();
            for (TransactionSpan each : recorded) {
                each.span().addEvent("batch", Attributes.of(SIZE, (long) size)).addLink(span.getSpanContext());
            }
            return new BatchSpan(traces, transactions, size, CurrentSpan.begin(span, parent));
        }

        @Override
        public boolean readsAttributes() {
            return batch.span().isRecording();
        }

        @Override
        public void attribute(String name, Object value) {
            traces.describe(batch.span(), name, value);
            if (size > 1 && name.equals("db.system.name")) {
                traces.describe(batch.span(), "db.operation.batch.size", size);
            } else if (name.equals("messaging.system")) {
                traces.describe(batch.span(), "messaging.batch.message_count", size);
            }
        }

        @Override
        public void propagate(BiConsumer<String, String> fields) {
            traces.inject(batch.context(), fields);
        }

        /** A message continues the trace of its own transaction. */
        @Override
        public void propagate(int index, int sent, BiConsumer<String, String> fields) {
            if (sent == size && transactions.size() >= size) {
                transactions.get(index).propagate(fields);
            } else {
                propagate(fields);
            }
        }

        @Override
        public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
            batch.end(answer, ending, true);
        }
    }
}
