package dev.penstock.collapse;

import dev.penstock.Answered;
import dev.penstock.Busy;
import dev.penstock.Ending;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
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
 * What became of each request of a batch: one ending for every one, in the order of the requests.
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
     * Every request was answered.
     *
     * @param answers one for each request, in the order of the requests
     */
    public static <R> BatchEndings<R> answered(Collection<? extends R> answers) {
        Builder<R> all = ofSize(answers.size());
        int place = 0;
        for (R answer : answers) {
            all.answered(place++, answer);
        }
        return all.build();
    }

    /**
     * Every request whose key an answer bears was answered; the others are {@link Unknown}, cause garbled.
     *
     * @param requests those of the batch
     * @param keyOfRequest tells a request's key; of those that have the same, or none (null), nobody can tell whose answer
     *     is whose, so they are unknown too
     * @param answers in any order; one whose key nobody asked for is left out
     * @param keyOfAnswer tells an answer's key
     */
    public static <Q, R, K> BatchEndings<R> byKey(
            List<? extends Q> requests,
            Function<? super Q, K> keyOfRequest,
            Collection<? extends R> answers,
            Function<? super R, K> keyOfAnswer) {
        Map<K, @Nullable R> byKey = new HashMap<>();
        for (R answer : answers) {
            K key = keyOfAnswer.apply(answer);
            // Two answers for one key: which of them is right nobody can tell, so neither is.
            byKey.put(key, byKey.containsKey(key) ? null : answer);
        }
        List<K> keys = requests.stream().map(keyOfRequest).toList();
        Set<K> twice = twice(keys);
        Builder<R> all = ofSize(keys.size());
        for (int place = 0; place < keys.size(); place++) {
            K key = keys.get(place);
            R answer = key == null || twice.contains(key) ? null : byKey.get(key);
            if (answer != null) {
                all.answered(place, answer);
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
     * Begins with no ending for anybody.
     *
     * @param size how many requests the batch has
     */
    public static <R> Builder<R> ofSize(int size) {
        return new Builder<>(size);
    }

    /** How many requests this tells of. */
    public int size() {
        return endings.length;
    }

    /**
     * The ending of one request: {@link Answered} with its answer, or {@link Unanswered}.
     *
     * @param place its place in the batch, from 0
     */
    public Ending get(int place) {
        return endings[place];
    }

    /**
     * The answer to one request, as a service would give it.
     *
     * @param place its place in the batch, from 0
     * @throws Unanswered it has none
     */
    @SuppressWarnings("unchecked") // only answers of this kind come in
    public R answer(int place) throws Unanswered {
        return switch (endings[place]) {
            case Answered<?> answered -> (R) answered.answer();
            case Unanswered ending -> throw ending;
        };
    }

    /** Whether any of the answers says that the target has too much to do. */
    @Override
    public boolean isBusy() {
        for (Ending ending : endings) {
            if (ending instanceof Answered<?> answered && Busy.is(answered.answer())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Gathers endings one by one. What is not told of in the end is {@link Unknown}, cause garbled. Not safe for many
     * threads.
     *
     * @param <R> the kind of answer
     */
    public static final class Builder<R> {
        private final @Nullable Ending[] endings;

        private Builder(int size) {
            this.endings = new Ending[size];
        }

        /** The request at a place, from 0, was answered. */
        public Builder<R> answered(int place, R answer) {
            endings[place] = new Answered<>(answer);
            return this;
        }

        /** The request at a place, from 0, was not answered. */
        public Builder<R> ended(int place, Unanswered ending) {
            endings[place] = ending;
            return this;
        }

        /** All of them as they are now. */
        public BatchEndings<R> build() {
            Ending[] all = new Ending[endings.length];
            for (int place = 0; place < all.length; place++) {
                all[place] = Objects.requireNonNullElseGet(endings[place], BatchEndings::missing);
            }
            return new BatchEndings<>(all);
        }
    }

    private static Unknown missing() {
        return new Unknown(Unknown.Cause.GARBLED, "the batch was answered, but not this request of it");
    }
}
