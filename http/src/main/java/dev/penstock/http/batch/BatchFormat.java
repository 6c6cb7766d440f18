package dev.penstock.http.batch;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many requests become one, and the answer to it one for each. {@link JsonBatch} has those that are most in use; write
 * your own for another. Safe for many threads.
 */
public interface BatchFormat {
    /**
     * Whether a request can be written into a batch, whole, and without harm to the others in it. Headers, path and query
     * are not of its concern; see {@link HttpBatch} for these.
     */
    boolean fits(HttpCall request);

    /**
     * Makes one request of many. {@link HttpBatch} adds the header fields that all of them have in common and that this
     * does not set itself; the path does not matter, for the URL of the batch counts alone.
     *
     * @param requests at least one, and all of them {@linkplain #fits fit}
     * @throws Failed cause refused, when these cannot travel together, though each may: they are then parted
     */
    HttpCall call(List<HttpCall> requests) throws Failed;

    /**
     * Takes an answer apart.
     *
     * @param requests those that {@link #call} was given
     * @param answer with a status of 200 to 299
     * @return an ending for each request, in the order of the requests
     * @throws Unanswered when nobody can tell whose is whose: {@link dev.penstock.Unknown}, cause garbled
     */
    BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) throws Unanswered;

    /**
     * What no two requests of a batch may have in common, lest nobody could tell their answers apart; null for nothing.
     *
     * @param request one that fits
     */
    default @Nullable Object unique(HttpCall request) {
        return null;
    }
}
