package dev.penstock.http.source;

import dev.penstock.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.Trailers;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request as it arrives, without a thread. Reading goes on until the end of the body whatever happens to
 * the request: bytes that nobody needs are discarded. Closing the connection of a request that was answered early would reset
 * it, and the client might lose the answer.
 *
 * <p>One thread at a time reads: the one that Jetty calls, or one that waits for memory.
 */
final class RequestBody {
    /** How long a body waits for memory: 500 ms. Meanwhile requests of slow clients that hold memory are ended. */
    private static final long MAX_MEMORY_WAIT = 500_000_000;

    /** A chunk of one byte takes six bytes on the wire; more than that is mostly extensions. */
    private static final long MAX_FRAMING = 8;

    /** RFC 9113 section 4.1. */
    private static final long FRAME_HEAD = 9;

    private static final int SPARE_FRAMING = 64 << 10;
    private static final int FIRST = 16 << 10;
    private static final byte[] NOTHING = new byte[0];

    private final Request request;
    private final ServedRequest served;
    private final MemoryBudget.Lease memory;
    private final int max;
    /** How many bytes it may have: at most its length, if that is known. */
    private final int bound;

    private final long bytesBefore;
    private byte[] bytes = NOTHING;
    private int received;
    private int reserved;
    private long chunks;
    private @Nullable BadInput refusal;

    /**
     * Prepares to read.
     *
     * @param refusal why the request is refused, so that its body is only discarded; null if it is not
     */
    RequestBody(Request request, ServedRequest served, MemoryBudget.Lease memory, int max, @Nullable BadInput refusal) {
        this.request = request;
        this.served = served;
        this.memory = memory;
        this.max = max;
        long length = request.getLength();
        this.bound = length < 0 ? max : (int) Math.min(length, max);
        this.bytesBefore = bytesIn();
        this.refusal = refusal == null && length > max ? tooLarge() : refusal;
    }

    private long bytesIn() {
        return request.getConnectionMetaData().getConnection().getBytesIn();
    }

    /** The body, once it is complete. */
    byte[] bytes() {
        return received == bytes.length ? bytes : Arrays.copyOf(bytes, received);
    }

    /** The size of the buffer for so many more bytes. It grows as they arrive, whatever length is declared. */
    private int capacityFor(int more) {
        int needed = received + more;
        return needed <= bytes.length
                ? bytes.length
                : (int) Math.max(needed, Math.min(bound, Math.max(FIRST, 2L * bytes.length)));
    }

    /** How much memory has to be reserved for so many more bytes. */
    private int missing(int more) {
        return Math.max(0, capacityFor(more) - reserved);
    }

    /** Appends bytes whose memory is reserved. */
    private void append(ByteBuffer more) {
        int count = more.remaining();
        int capacity = capacityFor(count);
        if (capacity > bytes.length) {
            bytes = Arrays.copyOf(bytes, capacity);
        }
        more.get(bytes, received, count);
        received += count;
    }

    /** Reserves memory for the first part of a body of known length, and begins to read. */
    void begin() {
        int first = refusal == null && request.getLength() > 0 ? missing(1) : 0;
        if (isReserved(first)) {
            read();
        } else {
            served.waitForMemory(() -> {
                awaitMemory(first);
                read();
            });
        }
    }

    /** Reads what has arrived, and is called again when more has. */
    private void read() {
        Content.Chunk chunk = request.read();
        while (chunk != null && accept(chunk)) {
            chunk = request.read();
        }
        if (chunk == null) {
            if (needsBody() && isPadded()) {
                refusal = new BadInput(413, "The framing of the body is too large for its content.");
            }
            if (refusal != null) {
                served.refuse(refusal, true);
            }
            request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::read));
        }
    }

    private boolean needsBody() {
        return refusal == null && served.phase().is(RequestPhase.Phase.BODY);
    }

    private boolean isPadded() {
        boolean http2 = request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2;
        long framing = http2 ? FRAME_HEAD * chunks : bytesIn() - bytesBefore;
        return framing > MAX_FRAMING * max + SPARE_FRAMING;
    }

    private BadInput tooLarge() {
        return new BadInput(413, "The body has more than the maximum of " + max + " bytes.");
    }

    /** Takes a part of the body, or its end; returns whether to read on here. */
    private boolean accept(Content.Chunk chunk) {
        chunks++;
        if (Content.Chunk.isFailure(chunk)) {
            served.fail(chunk.getFailure());
            return false;
        }
        if (needsBody() && chunk instanceof Trailers) {
            refusal = new BadInput(400, "Trailers of a chunked body are not supported.");
        } else if (needsBody() && chunk.remaining() > bound - received) {
            refusal = tooLarge();
        }
        int missing = needsBody() ? missing(chunk.remaining()) : 0;
        if (isReserved(missing)) {
            return take(chunk);
        }
        served.waitForMemory(() -> {
            awaitMemory(missing);
            if (take(chunk)) {
                read();
            }
        });
        return false;
    }

    private boolean isReserved(int size) {
        boolean taken = size == 0 || memory.tryTake(size);
        reserved += taken ? size : 0;
        return taken;
    }

    private void awaitMemory(int missing) {
        try {
            if (memory.tryTake(missing, MAX_MEMORY_WAIT)) {
                reserved += missing;
            } else {
                refusal = BadInput.noMemory();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            refusal = BadInput.noMemory();
        }
    }

    private boolean take(Content.Chunk chunk) {
        boolean isLast = chunk.isLast();
        boolean hasMore = !isLast || chunk.hasRemaining() || chunk instanceof Trailers;
        if (needsBody()) {
            served.phase().transferred(chunk.remaining());
            append(chunk.getByteBuffer());
        }
        chunk.release();
        if (refusal != null) {
            served.refuse(refusal, hasMore);
        }
        if (isLast) {
            served.end();
        }
        return !isLast;
    }
}
