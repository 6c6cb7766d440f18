package dev.penstock.http.http2;

import dev.penstock.memory.MemoryBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.BasicEntityDetails;
import org.apache.hc.core5.http.nio.AsyncClientExchangeHandler;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.jspecify.annotations.Nullable;

/**
 * One call on a connection: sends the request and collects the answer. HttpCore calls it on the thread of the connection, which
 * must not block; the caller waits in {@link #await}.
 */
public final class Http2Stream implements AsyncClientExchangeHandler {
    /** Flow-control window per stream: 1 MiB. Received bytes are consumed immediately, so it costs no memory. */
    static final int WINDOW = 1 << 20;

    /** Why this process gave up a call whose answer had begun. */
    public enum Refusal {
        TOO_LARGE,
        OUT_OF_MEMORY,
        TOO_MANY_INTERIM
    }

    /** This process gave up a call whose answer had begun. */
    public static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;
        private final Refusal why;

        Refused(Refusal why) {
            super(why.toString());
            this.why = why;
        }

        /** The reason. */
        public Refusal why() {
            return why;
        }
    }

    private enum Sent {
        NOTHING_YET,
        SOMETHING,
        NEVER
    }

    private final Http2Connection connection;
    private final HttpRequest request;
    private final ByteBuffer unsent;
    private final int maxAnswer;
    private final int maxInterim;
    private final MemoryBudget.@Nullable Lease memory;
    private final AtomicReference<Sent> sent = new AtomicReference<>(Sent.NOTHING_YET);
    private final CompletableFuture<HttpResponse> received = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private @Nullable HttpResponse head;
    private int interims;
    /** The send window as HttpCore counts it. */
    private int window;

    private volatile long sentAt;
    private volatile long firstByteAt;
    private volatile boolean answering;
    private volatile boolean notProcessed;
    private volatile boolean left;
    private boolean released;
    private volatile int number;
    private volatile boolean requestComplete;

    /**
     * Creates a stream that is not sent yet.
     *
     * @param connection on which it has a slot
     * @param memory reserves memory for the answer; null for none
     * @param maxAnswer maximum size of the answer in bytes
     * @param maxInterim maximum number of interim answers
     */
    public Http2Stream(
            Http2Connection connection,
            HttpRequest request,
            byte[] body,
            MemoryBudget.@Nullable Lease memory,
            int maxAnswer,
            int maxInterim) {
        this.connection = connection;
        this.request = request;
        this.unsent = ByteBuffer.wrap(body);
        this.memory = memory;
        this.maxAnswer = maxAnswer;
        this.maxInterim = maxInterim;
    }

    /** The connection on which it has a slot. */
    public Http2Connection connection() {
        return connection;
    }

    /**
     * Waits for the complete answer, until the timeout, or until the thread is interrupted (the interrupt status stays set).
     *
     * @return the reason if there is no answer, else null
     */
    public @Nullable Exception await(long nanos) {
        try {
            received.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            leave(new SocketTimeoutException("read timed out"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            leave(new InterruptedIOException("interrupted"));
        } catch (ExecutionException e) {
            // Returned below.
        }
        return received.isCompletedExceptionally() && received.exceptionNow() instanceof Exception why ? why : null;
    }

    /** The head of the answer, once it is complete. */
    public HttpResponse head() {
        return received.resultNow();
    }

    /** The body of the answer, once it is complete. */
    public byte[] body() {
        return bytes.toByteArray();
    }

    /** Ends the wait with an error, if it has not ended yet. */
    public void end(Exception why) {
        received.completeExceptionally(why);
    }

    private void leave(Exception why) {
        if (received.completeExceptionally(why)) {
            left = true;
        }
    }

    /** The peer reported in a GOAWAY that it has not processed this stream. */
    void goneAway() {
        refused();
        left = true;
        end(new IOException("GOAWAY: the peer is closing the connection and has not processed this stream"));
    }

    /**
     * The peer has reset this stream with REFUSED_STREAM; HttpCore then ends it. After an interim answer this proves nothing: the
     * peer has begun to process the request.
     */
    void refused() {
        notProcessed = !answering && interims == 0;
    }

    /** Whether the peer has reported that it did not process this stream. */
    public boolean isNotProcessed() {
        return notProcessed;
    }

    /** Whether the caller has finished with this stream while HttpCore may not have. */
    public boolean isLeft() {
        return left || (!requestComplete && !received.isCompletedExceptionally());
    }

    /** Whether it is certain that no byte was or will be sent. */
    public boolean isNeverSent() {
        return sent.get() == Sent.NEVER;
    }

    /** Releases it; returns whether it was not released before. Guarded by the lock of {@link Http2Connections}, like {@link #isReleased}. */
    boolean release() {
        boolean first = !released;
        released = true;
        return first;
    }

    /** Whether its slot is free. */
    boolean isReleased() {
        return released;
    }

    /** Whether the answer has begun. */
    public boolean answering() {
        return answering;
    }

    /** When the codec had accepted the last byte of the request; 0 before that. */
    public long sentAt() {
        return sentAt;
    }

    /** When the head of the answer was received; 0 before that. */
    public long firstByteAt() {
        return firstByteAt;
    }

    /** Its stream number; 0 before it has one. */
    int number() {
        return number;
    }

    void numbered(int streamId, int initialWindow) {
        number = streamId;
        window = initialWindow;
    }

    /** Sets the send window as HttpCore counts it; may be negative (RFC 9113 section 6.9.2). */
    void window(int bytes) {
        window = bytes;
    }

    @Override
    public void produceRequest(RequestChannel channel, HttpContext context) throws HttpException, IOException {
        if (!sent.compareAndSet(Sent.NOTHING_YET, Sent.SOMETHING)) {
            // Already reported as never sent, which happens only on a closing connection.
            throw new ConnectionClosedException();
        }
        if (!unsent.hasRemaining()) {
            requestSent();
        }
        EntityDetails content = requestComplete ? null : new BasicEntityDetails(unsent.remaining(), null);
        connection.sending(this);
        try {
            channel.sendRequest(request, content, context);
        } finally {
            connection.sending(null);
        }
    }

    @Override
    public int available() {
        return received.isDone() ? 0 : Math.clamp((long) window - connection.excess(), 0, unsent.remaining());
    }

    @Override
    public void produce(DataStreamChannel channel) throws IOException {
        if (available() == 0) {
            return; // HttpCore would send an empty frame
        }
        int end = unsent.limit();
        unsent.limit(unsent.position() + available());
        channel.write(unsent);
        unsent.limit(end);
        if (!unsent.hasRemaining()) {
            requestSent();
            channel.endStream();
        }
    }

    private void requestSent() {
        sentAt = System.nanoTime();
        requestComplete = true;
    }

    /** Counts an interim answer. */
    void interim() {
        interims++;
        if (interims > maxInterim) {
            left = true;
            end(new Refused(Refusal.TOO_MANY_INTERIM));
        }
    }

    @Override
    public void consumeInformation(HttpResponse response, HttpContext context) throws IOException {
        // Interim answers are only counted, see interim().
        checkWanted();
    }

    @Override
    public void consumeResponse(HttpResponse response, @Nullable EntityDetails content, HttpContext context)
            throws IOException {
        firstByteAt = System.nanoTime();
        answering = true;
        head = response;
        if (content == null) {
            streamEnd(null);
            return;
        }
        checkWanted();
        if (contentLength(response) > maxAnswer) {
            throw tooLarge();
        }
    }

    /** The value of Content-Length; -1 if there is none or it is invalid. */
    public static long contentLength(HttpResponse head) {
        Header field = head.getFirstHeader("Content-Length");
        if (field == null || field.getValue() == null || !field.getValue().matches("\\d{1,18}")) {
            return -1;
        }
        return Long.parseLong(field.getValue());
    }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(WINDOW);
    }

    @Override
    public void consume(ByteBuffer more) throws IOException {
        checkWanted();
        if (more.remaining() > maxAnswer - bytes.size()) {
            throw tooLarge();
        }
        // The thread of the connection must not wait for memory.
        if (memory != null && !memory.tryTake(more.remaining())) {
            end(new Refused(Refusal.OUT_OF_MEMORY));
            throw cancelled("out of memory budget for the answer");
        }
        byte[] copy = new byte[more.remaining()];
        more.get(copy);
        bytes.write(copy);
    }

    /** Resets the stream if its caller no longer waits, so that the peer stops sending the answer. */
    private void checkWanted() throws H2StreamResetException {
        if (received.isDone()) {
            throw cancelled("the caller no longer waits for the answer");
        }
    }

    private H2StreamResetException tooLarge() {
        end(new Refused(Refusal.TOO_LARGE));
        return cancelled("answer too large");
    }

    /** The answer is no longer needed (RFC 9113 section 7), which is no error of either side. */
    private static H2StreamResetException cancelled(String why) {
        return new H2StreamResetException(H2Error.CANCEL, why);
    }

    @Override
    public void streamEnd(@Nullable List<? extends Header> trailers) {
        if (head != null) {
            received.complete(head);
        }
    }

    @Override
    public void failed(Exception cause) {
        sent.compareAndSet(Sent.NOTHING_YET, Sent.NEVER);
        end(cause);
    }

    @Override
    public void cancel() {
        failed(new CancellationException());
    }

    @Override
    public void releaseResources() {
        connection.released(this);
    }
}
