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
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a batch by one span, which is current until it ends.
 *
 * @param transactions in the order of the requests, and then those of merged requests
 */
record BatchSpan(Traces traces, List<TransactionSpan> transactions, int size, CurrentSpan batch)
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
