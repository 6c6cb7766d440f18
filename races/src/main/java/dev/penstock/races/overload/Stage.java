package dev.penstock.races.overload;

import dev.penstock.Service;

/** What is overloaded. Safe for many threads. */
interface Stage extends Service<Long, Long> {
    /** Ends all that is in it, and all that comes, from that reading of the clock on. */
    void closeAt(long nanos);

    /** Whether an answer is that of a request which was processed whole. */
    boolean isRight(Long answer);
}
