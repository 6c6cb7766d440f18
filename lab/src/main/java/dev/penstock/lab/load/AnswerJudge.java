package dev.penstock.lab.load;

import dev.penstock.lab.measure.Outcome;
import java.util.function.Predicate;

/**
 * Derives a transaction's outcome from its answer, for answers that themselves report outcomes, such as those of a
 * gateway. Thread-safe.
 *
 * @param <R> the answer
 */
@FunctionalInterface
public interface AnswerJudge<R> {
    /**
     * Judges an answer. Called once per answer, on the thread that received it.
     *
     * @param answer the answer
     * @param label of the transaction, as its index in the load's {@link TransactionMix}; 0 without one
     * @param measured false during warm-up
     * @return the transaction's outcome
     */
    Outcome judge(R answer, int label, boolean measured);

    /** A judge with two outcomes: right or wrong. */
    static <R> AnswerJudge<R> of(Predicate<? super R> right) {
        return (answer, label, measured) -> right.test(answer) ? Outcome.RIGHT : Outcome.WRONG;
    }
}
