package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.PageServer.PageClient;
import dev.penstock.http.source.RequestPhase.Phase;
import dev.penstock.memory.MemoryBudget;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One request, from its head to the end of its answer: it is admitted or refused, its body is read, and then it is answered on
 * a virtual thread. A request that is refused never gets one. Exactly one thread answers: the one that enters {@code ANSWER}.
 */
final class ServedRequest implements PageClient {
    private static final Duration NO_LIMIT = Duration.ofDays(1);

    private final RequestServer server;
    private final ClientConnection connection;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final MemoryBudget.Lease memory;
    private final RequestPhase phase;
    private RequestReceiver.@Nullable Accepted admitted;
    private @Nullable RequestBody body;
    private volatile boolean wellFormed;
    private volatile boolean readAll;
    private volatile boolean last;

    ServedRequest(
            RequestServer server,
            ClientConnection connection,
            Request request,
            Response response,
            Callback callback,
            MemoryBudget.Lease memory) {
        this.server = server;
        this.connection = connection;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.memory = memory;
        this.phase = new RequestPhase(connection, System.nanoTime(), server.limits.bodyTime());
    }

    /** Decides about the request, and begins to read its body. */
    void begin() {
        BadInput refusal = null;
        int max = 0;
        try {
            ReceivedHead head = ReceivedHead.of(request);
            wellFormed = true;
            RequestReceiver.Accepted admission = server.receiver.admit(head, connection.peer());
            admitted = admission;
            max = admission.maxBody();
        } catch (BadInput e) {
            refusal = e;
        }
        RequestBody reading = new RequestBody(request, this, memory, max, refusal);
        body = reading;
        reading.begin();
    }

    /** Runs a wait for memory, on another thread. */
    void waitForMemory(Runnable wait) {
        run(() -> {
            phase.waits(true);
            try {
                wait.run();
            } finally {
                phase.waits(false);
            }
        });
    }

    /**
     * Answers with a refusal, unless it is answered already.
     *
     * @param hasMore whether the body may have more bytes
     */
    void refuse(BadInput refusal, boolean hasMore) {
        if (enter(Phase.ANSWER)) {
            write(instead(refusal), (hasMore || !wellFormed) && !connection.isHttp2());
        }
    }

    /** The answer for a request that was refused, or that ended with an exception. */
    private HttpAnswer instead(Throwable why) {
        return server.receiver.instead(admitted == null ? null : admitted.flow(), why);
    }

    /** The whole body was received or discarded. */
    void end() {
        readAll = true;
        if (!phase.is(Phase.BODY)) {
            finishIfAnswered();
        } else {
            run(this::answer);
        }
    }

    /** The client is gone, or the framing of the body is invalid: the body has ended. */
    void fail(Throwable failure) {
        readAll = true;
        if (!phase.is(Phase.BODY)) {
            finishIfAnswered();
        } else if (failure instanceof HttpException invalid) {
            refuse(new BadInput(invalid.getCode(), ProblemDetails.VIOLATION), true);
        } else {
            finish(failure);
        }
    }

    private void finishIfAnswered() {
        if (phase.is(Phase.LINGER)) {
            finish(null);
        }
    }

    private void run(Runnable task) {
        try {
            server.execute(task);
        } catch (RejectedExecutionException closed) {
            finish(closed);
        }
    }

    private void answer() {
        RequestReceiver.Accepted admission = admitted;
        RequestBody complete = body;
        if (admission == null || complete == null || !enter(Phase.FLOW)) {
            finishIfUnanswered();
            return;
        }
        HttpAnswer answer;
        try {
            answer = admission.answering().answer(complete.bytes(), memory, this);
        } catch (Throwable failure) { // the flow counted an Error as unknown, and so it is answered
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            answer = instead(failure);
        }
        if (answer == null) {
            return;
        }
        memory.holdAtLeast(answer.body().length);
        if (enter(Phase.ANSWER)) {
            write(answer, false);
        } else {
            finishIfUnanswered();
        }
    }

    /** The connection was closed before the next phase, or another thread answers. */
    private void finishIfUnanswered() {
        synchronized (connection) { // nobody begins to answer in between
            if (phase.now().compareTo(Phase.ANSWER) >= 0 || !phase.enter(Phase.ENDED, System.nanoTime(), NO_LIMIT)) {
                return;
            }
        }
        release(new IOException("the connection was closed"));
    }

    private boolean enter(Phase next) {
        synchronized (connection) {
            return !connection.isClosed()
                    && phase.enter(next, System.nanoTime(), next == Phase.FLOW ? NO_LIMIT : server.limits.bodyTime());
        }
    }

    private void write(HttpAnswer answer, boolean closes) {
        last = closes || server.isDraining() || !request.getConnectionMetaData().isPersistent();
        new AnswerWriter(this, response, answer, last && !connection.isHttp2()).iterate();
    }

    /** The answer was written. */
    void written() {
        if (!readAll) {
            boolean _ = phase.enter(Phase.LINGER, System.nanoTime(), HttpSource.Limits.LINGER);
        }
        if (readAll) { // perhaps in between
            finish(null);
        }
    }

    /** Ends the request. Idempotent. */
    void finish(@Nullable Throwable failure) {
        if (phase.enter(Phase.ENDED, System.nanoTime(), NO_LIMIT)) {
            release(failure);
        }
    }

    private void release(@Nullable Throwable failure) {
        memory.close();
        connection.end(this, last || (failure != null && !connection.isHttp2()));
        try {
            if (failure == null) {
                callback.succeeded();
            } else {
                callback.failed(new Request.Handler.AbortException(failure));
            }
        } catch (RuntimeException ended) { // by Jetty itself, when the connection was closed
            connection.close();
        }
    }

    /** The connection was closed. */
    void abandon() {
        if (!phase.is(Phase.FLOW)) {
            finish(new IOException("the connection was closed"));
        }
    }

    /** Ends the request if it is overdue or, to make room, in any phase without a transaction. */
    void cut(long now, boolean anyway) {
        afterCut(phase.cut(now, anyway));
    }

    /** Ends the request if it holds a body in memory and its client is slow; returns whether it did. */
    boolean cutIfSlow(long now) {
        Phase before = phase.cutIfSlow(now);
        afterCut(before);
        return before != null;
    }

    private void afterCut(@Nullable Phase before) {
        if (before == Phase.BODY) {
            write(ProblemDetails.timeout(), true);
        } else if (before != null && connection.isHttp2()) {
            last |= before == Phase.ANSWER;
            request.fail(new IOException("too slow"));
        } else if (before != null) {
            connection.close();
        }
    }

    RequestPhase phase() {
        return phase;
    }

    boolean isAnswering() {
        return phase.is(Phase.FLOW) || phase.is(Phase.ANSWER);
    }

    boolean isHead() {
        return "HEAD".equals(request.getMethod());
    }

    /** Starts the time limit of the answer again. */
    void renew() {
        phase.renew(System.nanoTime(), server.limits.bodyTime());
    }

    @Override
    public RequestGate.Peer peer() {
        return connection.peer();
    }

    @Override
    public boolean canStream() {
        return request.getConnectionMetaData().getHttpVersion() != HttpVersion.HTTP_1_0;
    }

    @Override
    public OutputStream stream(Headers headers) throws IOException {
        if (!enter(Phase.ANSWER)) {
            throw new IOException("the connection was closed");
        }
        return AnswerWriter.stream(this, response, headers);
    }
}
