package dev.penstock.spring;

import dev.penstock.Unanswered;

/** A flow ended the call of a method with {@link Flowed} without calling it, or without waiting for it any longer. */
public final class UnansweredMethodException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Unanswered ending;

    UnansweredMethodException(Unanswered ending) {
        super(ending.ending() + " (" + ending.causeName() + "): " + ending.getMessage(), ending);
        this.ending = ending;
    }

    /** {@return the ending, with its cause; that of a rejection shows when to call again} */
    public Unanswered ending() {
        return ending;
    }
}
