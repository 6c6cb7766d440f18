package dev.penstock;

/**
 * A request that may matter more, or less, than others. It is looked at only when not all can be served: the more urgent
 * are served first, and the least urgent shed first.
 */
public interface Prioritized {
    /** The urgency of a request that states none. */
    int DEFAULT_URGENCY = 3;

    /** The urgency of what can be done without most easily. */
    int LEAST_URGENT = 7;

    /**
     * How urgent this request is, on the scale of {@code u} in RFC 9218 section 4.1: 0, the most urgent, to 7, the least.
     * Numbers beyond either end count as that end.
     */
    int urgency();

    /** The urgency of a request of any kind: its own, or {@value #DEFAULT_URGENCY}. */
    static int of(Object request) {
        return request instanceof Prioritized known ? known.urgency() : DEFAULT_URGENCY;
    }
}
