package dev.penstock.lab.datagram;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One run of a datagram load: the thread that sends and receives. The decisions are in other classes. */
final class DatagramRun implements Runnable, DatagramPort.Taker {
    /** A wait for an answer may take a millisecond longer than requested, so it is used only with time to spare. */
    private static final long SPARE_NANOS = 2_000_000;

    /** The number of datagrams of a burst sent before answers are received. */
    private static final int SENT_BETWEEN_RECEIVES = 1_024;

    /** The number of latest datagrams whose send time is kept; older ones have no service time. */
    private static final int TIMED = 1 << 16;

    private static final long PROGRESS_INTERVAL = 100_000_000;

    private final DatagramLoad load;
    private final DatagramPort port;
    private final Ticker ticker;
    private final DatagramPace pace;
    private final DatagramTally tally = new DatagramTally();
    private final Histogram response = Latency.empty();
    private final Histogram failures = Latency.empty();
    private final Histogram service = Latency.empty();
    private final Histogram lag = Latency.empty();
    private final long[] sentAt = new long[TIMED];
    private final long lasting;
    private final boolean bursts;
    private long startAt;
    private long rightInTime;
    private long receivedAt;
    private long progressAt;
    private long sendingNanos;
    private long waited;
    private boolean measuring;
    private OptionalLong droppedBefore = OptionalLong.empty();
    private OptionalLong droppedAfter = OptionalLong.empty();
    private volatile boolean stopped;
    private volatile boolean sentEnough;
    private volatile @Nullable DatagramProgress progress;
    private volatile @Nullable Throwable broken;

    DatagramRun(DatagramLoad load, DatagramPort port) {
        this.load = load;
        this.port = port;
        this.ticker = load.ticker;
        this.lasting = Durations.nanos(load.lasting);
        this.pace = new DatagramPace(load.cadence, lasting, Durations.nanos(load.catchUp), load.batch);
        this.bursts = load.cadence instanceof Cadence.Bursts;
    }

    @Override
    public void run() {
        try {
            drain();
            droppedBefore = port.dropped();
            startAt = ticker.nanos();
            measuring = true;
            send();
            awaitLast();
            tally.finish();
            waited = Math.max(0, ticker.nanos() - startAt - sendingNanos);
            droppedAfter = port.dropped();
        } catch (IOException | RuntimeException | Error e) {
            broken = e;
        }
    }

    private void drain() throws IOException {
        while (!stopped && port.receive(this) > 0) {
            Thread.onSpinWait();
        }
    }

    private void send() throws IOException {
        int unseen = 0;
        while (!pace.isOver()) {
            long now = ticker.nanos() - startAt;
            if (stopped || sentEnough || now > lasting + SPARE_NANOS + Durations.nanos(load.catchUp)) {
                pace.stop(now);
                break;
            }
            int sent = sent(now);
            unseen += sent;
            if (!bursts || sent == 0 || unseen >= SENT_BETWEEN_RECEIVES) {
                unseen = 0;
                boolean any = take() > 0;
                report(now);
                if (!any && sent == 0) {
                    rest(pace.nextAt() - now);
                }
            }
        }
        sendingNanos = Math.max(sentEnough ? 0 : lasting, ticker.nanos() - startAt);
    }

    private int sent(long now) throws IOException {
        int ready = pace.ready(now);
        if (ready == 0) {
            return 0;
        }
        long first = pace.next();
        int sent = port.send(first, ready);
        if (sent > 0) {
            tally.sent(first, sent);
            for (long number = first; number < first + sent; number++) {
                sentAt[(int) number & (TIMED - 1)] = now;
            }
            long late = now - load.cadence.at(first);
            if (!bursts) {
                lag.recordValueWithCount(Math.clamp(late, 0, Latency.MAX), sent);
            } else if (first % ((Cadence.Bursts) load.cadence).size() == 0) {
                lag.recordValue(Math.clamp(late, 0, Latency.MAX));
            }
            pace.taken(sent);
        }
        return sent;
    }

    private void rest(long nanos) throws IOException {
        if (nanos > SPARE_NANOS && !pace.isOver()) {
            port.await(nanos - SPARE_NANOS / 2);
        } else {
            Thread.onSpinWait();
        }
    }

    private int take() throws IOException {
        receivedAt = Long.MIN_VALUE;
        return port.receive(this);
    }

    private void awaitLast() throws IOException {
        long until = ticker.nanos() + Durations.nanos(load.grace);
        while (!stopped && tally.waiting() > 0) {
            int came = take();
            long now = ticker.nanos();
            report(now - startAt);
            if (came == 0) {
                if (now - until >= 0) {
                    return;
                }
                port.await(Math.min(SPARE_NANOS, until - now));
            }
        }
    }

    @Override
    public void answer(long number, boolean right) {
        if (!measuring) {
            return;
        }
        if (receivedAt == Long.MIN_VALUE) {
            receivedAt = ticker.nanos() - startAt;
        }
        if (tally.answered(number, right)) {
            long took = Math.clamp(receivedAt - load.cadence.at(number), 0, Latency.MAX);
            (right ? response : failures).recordValue(took);
            if (right && pace.next() - number <= TIMED) {
                service.recordValue(Math.clamp(receivedAt - sentAt[(int) number & (TIMED - 1)], 0, Latency.MAX));
            }
            if (right && receivedAt < lasting) {
                rightInTime++;
            }
        }
    }

    private void report(long now) {
        if (now - progressAt >= 0) {
            progressAt = now + PROGRESS_INTERVAL;
            progress = new DatagramProgress(
                    Duration.ofNanos(now), load.lasting, tally.sent(), tally.right(), tally.waiting(), pace.shed());
        }
    }

    /** The progress; null before the first report. */
    @Nullable
    DatagramProgress progress() {
        return progress;
    }

    /** Sends no more, and waits for the last answers. */
    void sendNoMore() {
        sentEnough = true;
    }

    void stop() {
        stopped = true;
    }

    /** The result, after the thread has ended. */
    DatagramResult result(ProcessUse used) throws IOException {
        switch (broken) {
            case null -> {}
            case IOException e -> throw new IOException(e.getMessage(), e);
            case RuntimeException e -> throw new IllegalStateException("the sender failed: " + e, e);
            case Throwable e -> throw new IllegalStateException("the sender failed: " + e, e);
        }
        OptionalLong dropped = droppedBefore.isPresent() && droppedAfter.isPresent()
                ? OptionalLong.of(droppedAfter.getAsLong() - droppedBefore.getAsLong())
                : OptionalLong.empty();
        return DatagramResult.of(
                load,
                tally,
                pace.shed(),
                rightInTime,
                sendingNanos,
                dropped,
                new Latencies(response, failures, service, lag, waited),
                used);
    }

    /**
     * The recorded latencies.
     *
     * @param waited nanoseconds that the last datagrams waited at least for their answers
     */
    record Latencies(Histogram response, Histogram failures, Histogram service, Histogram lag, long waited) {
        /** The response times, with the lost datagrams as the time that they waited at least. */
        Latency withLost(long lost) {
            Histogram all = response.copy();
            all.recordValueWithCount(Math.min(waited, Latency.MAX), lost);
            return Latency.of(all, waited);
        }
    }
}
