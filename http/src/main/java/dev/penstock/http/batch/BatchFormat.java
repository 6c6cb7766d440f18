package dev.penstock.http.batch;

import dev.penstock.BatchEndings;
import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges several requests into one, and splits its answer into one per request. {@link JsonBatch} implements the common
 * JSON formats, {@link GetBatch} lists ids in the URL of a GET; implement this interface for others. Implementations must
 * be thread-safe.
 */
public interface BatchFormat {
    /**
     * Whether a request can be written into a batch completely and without affecting the others. Must ignore headers other than
     * those of the content, path and query; {@link HttpBatch} checks these.
     */
    boolean fits(HttpCall request);

    /**
     * Merges requests into one. {@link HttpBatch} adds the header fields that all requests have in common and that this request
     * does not set. A GET is sent to its path and query on the host of the batch URL. For other methods the path of the result is
     * ignored; the URL of the batch is used.
     *
     * @param requests at least one; all {@linkplain #fits fit}
     * @throws Failed cause refused, if these requests cannot share a batch, though each could be sent alone; they are
     *     then split
     */
    HttpCall call(List<HttpCall> requests) throws Failed;

    /**
     * Splits an answer.
     *
     * @param requests the requests passed to {@link #call}
     * @param answer with status 200 to 299
     * @return an ending for each request, in the order of the requests
     * @throws Unanswered if answers cannot be assigned to requests: {@link dev.penstock.Unknown}, cause garbled
     */
    BatchEndings<HttpAnswer> endings(List<HttpCall> requests, HttpAnswer answer) throws Unanswered;

    /**
     * Returns a value that must be unique within a batch, so that answers can be assigned to requests; null for no restriction.
     *
     * @param request a request that fits
     */
    default @Nullable Object unique(HttpCall request) {
        return null;
    }

    /**
     * Returns the path and query of a request without the part that {@link #call} writes into the batch. A request is sent alone
     * if it has a query, or if it is not the path of {@link HttpBatch#onPath}. Default: the whole path and query.
     */
    default String commonPath(HttpCall request) {
        return request.path();
    }

    /** Returns the bytes that a request adds to a batch. Default: its body and a separator. */
    default long size(HttpCall request) {
        return HttpBatch.size(request);
    }

    /** Returns the maximum {@linkplain #size size} of the requests of a batch. Default: {@value HttpBatch#MAX_BYTES}. */
    default long maxSize() {
        return HttpBatch.MAX_BYTES;
    }
}
