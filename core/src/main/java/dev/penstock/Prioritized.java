package dev.penstock;

/**
 * A request with a priority. The priority matters only under overload: more urgent requests are served first, and the least
 * urgent are shed first.
 */
public interface Prioritized {
    /** The urgency of a request without a priority. */
    int DEFAULT_URGENCY = 3;

    /** The lowest urgency. */
    int LEAST_URGENT = 7;

    /**
     * {@return the urgency of this request, as {@code u} in RFC 9218 section 4.1: 0 is the most urgent, 7 the least} Values
     * out of range are clamped.
     */
    int urgency();

    /**
     * {@return the urgency of a request of any type: its own, or {@value #DEFAULT_URGENCY}}
     *
     * @param request any request
     */
    static int of(Object request) {
        return request instanceof Prioritized known ? known.urgency() : DEFAULT_URGENCY;
    }
}
