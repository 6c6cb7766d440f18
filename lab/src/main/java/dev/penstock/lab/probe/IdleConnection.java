package dev.penstock.lab.probe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A connection that is left alone. For one thread at a time. */
public interface IdleConnection extends AutoCloseable {
    /**
     * Waits for the peer to end it, and sends nothing.
     *
     * @param atMost how long
     * @return how it was ended; null when it was not, as far as this side was told
     */
    @Nullable
    KillKind ended(Duration atMost) throws InterruptedException;

    /**
     * Uses it once; whatever comes of it, its idle time begins anew.
     *
     * @param atMost how long to wait for an answer
     * @return how it was ended, {@link KillKind#SILENT} when no answer came; null when it works
     */
    @Nullable
    KillKind use(Duration atMost) throws InterruptedException;

    @Override
    void close();
}
