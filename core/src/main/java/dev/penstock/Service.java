package dev.penstock;

/**
 * Answers a request, blocking the calling thread until it has. Meant to be called on a virtual thread.
 *
 * <p>A service that is the target of a flow says how a transaction ended by how it returns: a return is {@link Answered},
 * and {@link Rejected}, {@link Failed} and {@link Unknown} are thrown. Anything else that it throws counts as {@link
 * Unknown}, because nobody can tell what became of the request.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
@FunctionalInterface
public interface Service<Q, R> {
    /**
     * Answers one request.
     *
     * @param request what is asked
     * @return the answer, also when it is a business "no"
     * @throws Rejected never sent, so safe to send again
     * @throws Failed sent and known not to have taken effect, or refused for good
     * @throws Unknown sent, and no answer came
     * @throws Exception whatever else the service throws; a flow turns it into {@link Unknown}
     */
    R call(Q request) throws Exception;

    /**
     * Whether every call ends by the {@linkplain Deadline#current() deadline of its thread}, or a moment later, without help.
     * A flow calls such a target on the caller's thread. It calls any other target that is under a deadline on a virtual
     * thread of its own, so that the caller returns in time whatever the target does.
     *
     * <p>Default: false. Must always give the same answer.
     */
    default boolean honorsDeadline() {
        return false;
    }

    /**
     * Declares that a service honors deadlines, so that a flow calls it on the caller's thread: for a service that returns
     * at once, for one that bounds its own waits by {@link Deadline#current()}, and for one that needs the thread-locals of
     * its caller, such as a transaction. When it breaks this promise, callers wait beyond their deadline.
     *
     * @param service what is called; safe for as many threads as it was
     * @return the same service, which {@linkplain #honorsDeadline() honors deadlines}
     */
    static <Q, R> Service<Q, R> honoringDeadline(Service<Q, R> service) {
        return new HonoringDeadline<>(service);
    }
}
