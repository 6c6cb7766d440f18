package dev.penstock;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The endings of the requests of a batch: one for each, in the order of the requests.
 *
 * <p>Immutable.
 *
 * @param <R> the kind of answer
 */
public final class BatchEndings<R> implements Busy {
    private final Ending[] endings;

    private BatchEndings(Ending[] endings) {
        this.endings = endings;
    }

    /**
     * {@return endings of a batch in which every request was answered}
     *
     * @param <R> the answer
     * @param answers one per request, in the order of the requests
     */
    public static <R> BatchEndings<R> answered(Collection<? extends R> answers) {
        Builder<R> all = ofSize(answers.size());
        int index = 0;
        for (R answer : answers) {
            all.answered(index++, answer);
        }
        return all.build();
    }

    /**
     * Matches answers to requests by key. Requests without a matching answer end as {@link Unknown}, cause garbled.
     *
     * @param <Q> the request
     * @param <R> the answer
     * @param <K> the key
     * @param requests the requests of the batch
     * @param keyOfRequest returns a request's key; requests with a null key, or with the same key as another one, end as
     *     unknown, because their answers are ambiguous
     * @param answers in any order; an answer with a key of no request is ignored; two answers with the same key are
     *     both ignored
     * @param keyOfAnswer returns an answer's key
     * @return one ending for each request
     */
    public static <Q, R, K> BatchEndings<R> byKey(
            List<? extends Q> requests,
            Function<? super Q, K> keyOfRequest,
            Collection<? extends R> answers,
            Function<? super R, K> keyOfAnswer) {
        Map<K, @Nullable R> byKey = new HashMap<>();
        for (R answer : answers) {
            K key = keyOfAnswer.apply(answer);
            // Two answers for one key are ambiguous: use neither.
            byKey.put(key, byKey.containsKey(key) ? null : answer);
        }
        List<K> keys = requests.stream().map(keyOfRequest).toList();
        Set<K> twice = twice(keys);
        Builder<R> all = ofSize(keys.size());
        for (int index = 0; index < keys.size(); index++) {
            K key = keys.get(index);
            R answer = key == null || twice.contains(key) ? null : byKey.get(key);
            if (answer != null) {
                all.answered(index, answer);
            }
        }
        return all.build();
    }

    private static <K> Set<K> twice(List<K> keys) {
        Set<K> once = new HashSet<>();
        Set<K> twice = new HashSet<>();
        for (K key : keys) {
            if (!once.add(key)) {
                twice.add(key);
            }
        }
        return twice;
    }

    /**
     * {@return a builder without endings}
     *
     * @param <R> the answer
     * @param size the number of requests of the batch
     */
    public static <R> Builder<R> ofSize(int size) {
        return new Builder<>(size);
    }

    /** {@return the number of endings} */
    public int size() {
        return endings.length;
    }

    /**
     * {@return the ending of one request: {@link Answered} with its answer, or {@link Unanswered}}
     *
     * @param index the request's index in the batch, from 0
     */
    public Ending get(int index) {
        return endings[index];
    }

    /**
     * {@return the answer to one request, or throws its ending}
     *
     * @param index the request's index in the batch, from 0
     * @throws Unanswered the request was not answered
     */
    @SuppressWarnings("unchecked") // only answers of this kind come in
    public R answer(int index) throws Unanswered {
        return switch (endings[index]) {
            case Answered<?> answered -> (R) answered.answer();
            case Unanswered ending -> throw ending;
        };
    }

    /** Whether any answer reports that the target is overloaded. */
    @Override
    public boolean isBusy() {
        for (Ending ending : endings) {
            if (ending instanceof Answered<?> answered && Busy.is(answered.answer())) {
                return true;
            }
        }
        return false;
    }

    /** The status that all answers of the batch have; 0 when they differ, or when there is none. */
    @Override
    public int status() {
        int common = 0;
        for (Ending ending : endings) {
            int status = ending instanceof Answered<?> answered ? Busy.statusOf(answered.answer()) : 0;
            if (status == 0 || (common != 0 && common != status)) {
                return 0;
            }
            common = status;
        }
        return common;
    }

    /**
     * Collects endings. A request without one ends as {@link Unknown}, cause garbled. Not safe for many threads.
     *
     * @param <R> the kind of answer
     */
    public static final class Builder<R> {
        private final @Nullable Ending[] endings;

        private Builder(int size) {
            this.endings = new Ending[size];
        }

        /**
         * Sets the answer to the request at an index, from 0.
         *
         * @param index the request's index in the batch, from 0
         * @param answer its answer
         * @return this builder
         */
        public Builder<R> answered(int index, R answer) {
            endings[index] = new Answered<>(answer);
            return this;
        }

        /**
         * Sets the ending of the request at an index, from 0, that was not answered.
         *
         * @param index the request's index in the batch, from 0
         * @param ending its ending
         * @return this builder
         */
        public Builder<R> ended(int index, Unanswered ending) {
            endings[index] = ending;
            return this;
        }

        /** {@return the endings; later changes of the builder do not affect them} */
        public BatchEndings<R> build() {
            Ending[] all = new Ending[endings.length];
            for (int index = 0; index < all.length; index++) {
                all[index] = Objects.requireNonNullElseGet(endings[index], BatchEndings::missing);
            }
            return new BatchEndings<>(all);
        }
    }

    private static Unknown missing() {
        return new Unknown(Unknown.Cause.GARBLED, "the answer to the batch contains no answer to this request");
    }
}
