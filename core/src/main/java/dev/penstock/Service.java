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
}
