package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.source.PageServer.PageClient;
import dev.penstock.memory.MemoryBudget;
import org.jspecify.annotations.Nullable;

/** What a {@link RequestServer} serves. Implementations are thread-safe. */
interface RequestReceiver {
    /** Answers a request on a virtual thread of its own. */
    @FunctionalInterface
    interface Answering {
        /**
         * Answers the request.
         *
         * @param body the complete body
         * @param memory the memory of the request, held until the answer is written
         * @param client who sent it
         * @return null if the answer was written by {@link PageClient#stream}
         * @throws BadInput the request is refused after all
         */
        @Nullable
        HttpAnswer answer(byte[] body, MemoryBudget.Lease memory, PageClient client) throws Exception;
    }

    /**
     * A request that may use memory for its body, and then a thread.
     *
     * @param maxBody the maximum size of the body in bytes
     * @param flow the name of the flow in answers; null if there is none
     */
    record Accepted(int maxBody, @Nullable String flow, Answering answering) {}

    /**
     * Decides about a request as soon as its head was received. Runs on the thread that reads all connections, so it must not
     * block.
     *
     * @throws BadInput the request is refused
     */
    Accepted admit(ReceivedHead head, RequestGate.Peer client);

    /**
     * The answer for a request that was refused, or that ended with an exception. Must not block.
     *
     * @param flow null if it is not known
     */
    HttpAnswer instead(@Nullable String flow, Throwable why);
}
