package dev.penstock.lab.load;

import dev.penstock.lab.measure.Outcome;
import java.util.function.Predicate;

/**
 * Decides how a transaction ended from its answer, for answers that also report endings, such as those of a gateway. Safe for
 * many threads.
 *
 * @param <R> the answer
 */
@FunctionalInterface
public interface AnswerJudge<R> {
    /**
     * Judges an answer. Called once for each answer, on the thread on which it came.
     *
     * @param answer what came
     * @param measured whether the transaction counts: false during the warm-up
     * @return how the transaction ended
     */
    Outcome judge(R answer, boolean measured);

    /** Takes an answer as right or wrong. */
    static <R> AnswerJudge<R> of(Predicate<? super R> right) {
        return (answer, measured) -> right.test(answer) ? Outcome.RIGHT : Outcome.WRONG;
    }
}
