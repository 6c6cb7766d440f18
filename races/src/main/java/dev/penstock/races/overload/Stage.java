package dev.penstock.races.overload;

import dev.penstock.Service;

/** The overloaded system. Thread-safe. */
interface Stage extends Service<Long, Long> {
    /** Ends all current and later requests from this time on. */
    void closeAt(long nanos);

    /** Whether an answer is that of a completely processed request. */
    boolean isRight(Long answer);
}
