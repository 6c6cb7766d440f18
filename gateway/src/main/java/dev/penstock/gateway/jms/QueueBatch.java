package dev.penstock.gateway.jms;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Deadline;
import dev.penstock.Ending;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the target of a batch of HTTP requests, whose messages are sent with one commit. Thread-safe.
 *
 * @param single converts single requests
 * @param target sends the messages
 */
record QueueBatch(QueueTarget single, JmsBatch target)
        implements Target.Converting<List<HttpCall>, BatchEndings<HttpAnswer>> {
    private static final Executor THREADS =
            work -> Thread.ofVirtual().name("penstock-jms-batch").start(work);

    /** A request of a batch before sending. */
    private sealed interface Prepared {}

    private record Ready(HttpCall call, JmsMessage message) implements Prepared {}

    private record Ended(Ending ending) implements Prepared {}

    static QueueBatch over(QueueTarget single) {
        return new QueueBatch(single, JmsBatch.over(single.target()));
    }

    /** A batch never contains the same id twice: the broker would roll back the whole batch. */
    Collapse<HttpCall, HttpAnswer> collapse() {
        return Collapse.intoEndings(this)
                .whole()
                .max(JmsBatch.MAX)
                .unique(call -> call.headers().first(TransactionIds.HEADER));
    }

    @Override
    public BatchEndings<HttpAnswer> call(List<HttpCall> calls) throws Unanswered {
        List<Prepared> prepared = inParallel(calls, this::prepare);
        List<Ready> ready = prepared.stream()
                .filter(Ready.class::isInstance)
                .map(Ready.class::cast)
                .toList();
        List<Ending> sent = send(ready, ready.size() == calls.size());
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(calls.size());
        int next = 0;
        for (int place = 0; place < calls.size(); place++) {
            Ending ending = prepared.get(place) instanceof Ended ended ? ended.ending() : sent.get(next++);
            if (ending instanceof Unanswered why) {
                endings.ended(place, why);
            } else {
                endings.answered(place, single.accepted(calls.get(place)));
            }
        }
        return endings.build();
    }

    private Prepared prepare(HttpCall call) {
        try {
            JmsMessage message = single.message(call);
            return single.begin(call) ? new Ready(call, message) : new Ended(new Answered<>(single.accepted(call)));
        } catch (Unanswered ending) {
            return new Ended(ending);
        }
    }

    /**
     * Sends the messages and returns their endings.
     *
     * @param all whether these are the whole batch: a common failure is then thrown, so that the stages see it
     */
    private List<Ending> send(List<Ready> ready, boolean all) throws Unanswered {
        try {
            BatchEndings<JmsReceipt> back = single.guard()
                    .confirmed(
                            () -> target.call(ready.stream().map(Ready::message).toList()));
            List<Ending> endings = new ArrayList<>();
            for (int place = 0; place < ready.size(); place++) {
                endings.add(back.get(place));
            }
            return endings;
        } catch (Unanswered ofAll) {
            if (all) {
                throw ofAll;
            }
            return Collections.nCopies(ready.size(), ofAll);
        }
    }

    /** Runs in parallel and within the deadline, because the store commits concurrent writes together. */
    private <T> List<T> inParallel(List<HttpCall> calls, Function<HttpCall, T> work) {
        if (single.inFlightStatus() == null || calls.size() < 2) {
            return calls.stream().map(work).toList();
        }
        Deadline deadline = Deadline.current();
        return calls.stream()
                .map(call -> CompletableFuture.supplyAsync(() -> within(deadline, call, work), THREADS))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
    }

    private static <T> T within(@Nullable Deadline deadline, HttpCall call, Function<HttpCall, T> work) {
        if (deadline == null) {
            return work.apply(call);
        }
        try {
            return deadline.call(() -> work.apply(call));
        } catch (RuntimeException unexpected) {
            throw unexpected;
        } catch (Exception never) {
            throw new IllegalStateException(never);
        }
    }
}
