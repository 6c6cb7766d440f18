package dev.penstock;

import java.util.List;
import java.util.function.BiFunction;

/** Adapts a service that returns plain answers to one that returns endings. */
record AnswerAdapter<Q, A, R>(Service<List<Q>, ? extends A> batch, BiFunction<List<Q>, A, BatchEndings<R>> endings)
        implements Service<List<Q>, BatchEndings<R>> {
    @Override
    public BatchEndings<R> call(List<Q> requests) throws Exception {
        return endings.apply(requests, batch.call(requests));
    }

    @Override
    public boolean honorsDeadline() {
        return batch.honorsDeadline();
    }
}
