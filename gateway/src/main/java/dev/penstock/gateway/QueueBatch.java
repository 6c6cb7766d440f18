package dev.penstock.gateway;

import dev.penstock.Answered;
import dev.penstock.Deadline;
import dev.penstock.Ending;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the target of many requests over HTTP at once, whose messages are sent by one commit. Safe for many threads.
 *
 * @param single knows how one of them is sent
 * @param messages sends them; closed with this
 */
record QueueBatch(QueueTarget single, JmsBatch messages) implements Target<List<HttpCall>, BatchEndings<HttpAnswer>> {
    private static final Executor THREADS = work -> Thread.ofVirtual().start(work);

    /** What a request of a batch comes to before anything is sent. */
    private sealed interface Begun {}

    private record Ready(HttpCall call, JmsMessage message) implements Begun {}

    private record Over(Ending ending) implements Begun {}

    static QueueBatch over(QueueTarget single) {
        return new QueueBatch(single, JmsBatch.over(single.target()));
    }

    /** Two of the same id never travel in one batch: the broker would undo all of it. */
    Collapse<HttpCall, HttpAnswer> collapse() {
        return Collapse.intoEndings(this)
                .whole()
                .max(JmsBatch.MAX)
                .unique(call -> call.headers().first(QueueMessages.ID_HEADER));
    }

    @Override
    public BatchEndings<HttpAnswer> call(List<HttpCall> calls) throws Unanswered {
        List<Begun> begun = atOnce(calls, this::begin);
        List<Ready> ready = begun.stream()
                .filter(Ready.class::isInstance)
                .map(Ready.class::cast)
                .toList();
        List<Ending> sent = sent(ready, ready.size() == calls.size());
        BatchEndings.Builder<HttpAnswer> endings = BatchEndings.ofSize(calls.size());
        int next = 0;
        for (int place = 0; place < calls.size(); place++) {
            Ending ending = begun.get(place) instanceof Over over ? over.ending() : sent.get(next++);
            if (ending instanceof Unanswered why) {
                endings.ended(place, why);
            } else {
                endings.answered(place, single.accepted(calls.get(place)));
            }
        }
        return endings.build();
    }

    private Begun begin(HttpCall call) {
        try {
            JmsMessage message = single.message(call);
            return single.begin(call) ? new Ready(call, message) : new Over(new Answered<>(single.accepted(call)));
        } catch (Unanswered ending) {
            return new Over(ending);
        }
    }

    /**
     * How each of them ended.
     *
     * @param all whether these are the whole batch: what ends them all is then thrown, for the stages to see it
     */
    private List<Ending> sent(List<Ready> ready, boolean all) throws Unanswered {
        try {
            BatchEndings<JmsReceipt> back =
                    messages.call(ready.stream().map(Ready::message).toList());
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

    /** At the same time and within the time left, since a ledger writes by one commit what comes to it together. */
    private <T> List<T> atOnce(List<HttpCall> calls, Function<HttpCall, T> work) {
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

    @Override
    public String where() {
        return single.where();
    }

    @Override
    public List<Setting> settings() {
        return single.settings();
    }

    @Override
    public Map<String, Long> connections() {
        return messages.connections();
    }

    @Override
    public void close() {
        messages.close();
    }
}
