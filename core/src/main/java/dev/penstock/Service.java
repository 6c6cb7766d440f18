package dev.penstock;

/**
 * Answers a request. The call blocks; call it on a virtual thread.
 *
 * <p>The target of a flow reports how a transaction ended: a normal return is {@link Answered}; {@link Rejected}, {@link
 * Failed} and {@link Unknown} are thrown. Any other exception counts as {@link Unknown}, because it does not show whether
 * the request took effect.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
@FunctionalInterface
public interface Service<Q, R> {
    /**
     * Answers one request.
     *
     * @param request the request
     * @return the answer, including a business refusal
     * @throws Rejected if the request was not sent; it is safe to send again
     * @throws Failed if it is known not to have taken effect, or was refused permanently
     * @throws Unknown if it was sent and no answer came
     * @throws Exception anything else that the service throws; a flow turns it into {@link Unknown}
     */
    R call(Q request) throws Exception;

    /**
     * {@return whether every call returns by the {@linkplain Deadline#current() deadline of its thread}, or shortly after} A
     * flow calls such a target on the caller's thread. If there is a deadline, it calls any other target on a separate virtual
     * thread, so that the caller returns in time whatever the target does.
     *
     * <p>Default: false. Must always return the same value.
     */
    default boolean honorsDeadline() {
        return false;
    }

    /**
     * Declares that a service honors deadlines, so that a flow calls it on the caller's thread. Use it for a service that
     * returns immediately, one that bounds its own waits by {@link Deadline#current()}, or one that needs the
     * thread-locals of its caller, such as a database transaction. If the service does not honor deadlines after all,
     * callers wait beyond theirs.
     *
     * @param <Q> the request
     * @param <R> the answer
     * @param service the service to call
     * @return a service that calls it and {@linkplain #honorsDeadline() honors deadlines}; as thread-safe as {@code service}
     */
    static <Q, R> Service<Q, R> honoringDeadline(Service<Q, R> service) {
        return new Service<>() {
            @Override
            public R call(Q request) throws Exception {
                return service.call(request);
            }

            @Override
            public boolean honorsDeadline() {
                return true;
            }
        };
    }
}
