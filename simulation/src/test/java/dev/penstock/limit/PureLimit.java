package dev.penstock.limit;

import dev.penstock.Prioritized;
import dev.penstock.kit.World;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Limit} without threads, for simulations in virtual time: the same line, the same rules, the same samples. Time
 * comes with each call, and who waits is called back instead of woken.
 */
public final class PureLimit {
    /** Something that asks for a permit. */
    public abstract static class Call extends UrgencyQueue.Entry {
        private @Nullable Turn turn;
        private long start;

        /**
         * A call that comes now.
         *
         * @param arrival the time
         * @param allowed the time from then to its deadline, in nanoseconds
         */
        protected Call(long arrival, long allowed) {
            super(arrival, allowed, Prioritized.DEFAULT_URGENCY);
        }
    }

    /** What becomes of a call that comes. */
    public enum Verdict {
        SENT,
        WAITS,
        REJECTED
    }

    private final LimitController controller;
    private final UrgencyQueue<Call> line = new UrgencyQueue<>();
    private final ServiceTime serviceTime = new ServiceTime();
    private final LoadSamples samples;
    private final Consumer<? super Call> send;
    private final Consumer<? super Call> reject;
    private QueuePolicy rules = QueuePolicy.of(QueueSettings.automatic());
    private long lastTrial;
    private long nextUpdate;
    private int out;

    /**
     * A limit.
     *
     * @param send takes those whose turn comes after they have waited
     * @param reject takes those who have waited in vain
     */
    public PureLimit(LimitController controller, Consumer<? super Call> send, Consumer<? super Call> reject) {
        this.controller = controller;
        this.send = send;
        this.reject = reject;
        this.samples = new LoadSamples(0, this::sampled);
    }

    /** A call comes. */
    public Verdict offer(Call call) {
        long now = call.arrival;
        if (rules.isTooLate(call.allowed, out)) {
            if (now - lastTrial < rules.trialNanos()) {
                return Verdict.REJECTED;
            }
            lastTrial = now;
        }
        if (line.size() == 0 && out < controller.permits()) {
            out++;
            return Verdict.SENT;
        }
        Turn turn = controller.turn(now);
        if (turn != null) {
            turn.block();
        }
        update(now);
        Object why = line.offer(call, controller.permits(), rules, reject);
        serve(now);
        return why == null ? Verdict.WAITS : Verdict.REJECTED;
    }

    /** When a call that waits has waited for as long as it may, as of now. */
    public long dueAt(Call call) {
        return call.dueAt(rules);
    }

    /** Takes a call out of the line if it still waits, and has waited for as long as it may. */
    public void expire(Call call, long now) {
        if (now - call.dueAt(rules) >= 0 && line.remove(call)) {
            reject.accept(call);
        }
    }

    /** How long a call that has its permit has to wait for its slot. */
    public long pace(long now) {
        return controller.pace(now, Long.MAX_VALUE);
    }

    /** A call that has its permit begins. */
    public void begin(Call call, long now) {
        call.turn = controller.turn(now);
        call.start = now;
        if (call.turn != null) {
            call.turn.start(now);
        }
    }

    /** A call has ended. */
    public void finished(Call call, long now, LimitController.Outcome outcome) {
        out--;
        serve(now);
        if (call.turn != null) {
            call.turn.end(call.start, now, outcome);
        }
        samples.finished(now, now - call.start, out, outcome);
        update(now);
    }

    private void update(long now) {
        if (now >= nextUpdate) {
            nextUpdate = now + World.MILLI;
            controller.update(now, out);
            serve(now);
        }
    }

    private void sampled(LoadSamples.Sample sample) {
        serviceTime.sample(sample);
        rules = rules.with(serviceTime);
        line.prune(sample.to(), rules, reject);
        serve(sample.to());
    }

    private void serve(long now) {
        while (line.size() > 0 && out < controller.permits()) {
            @Nullable Call next = line.next(now, rules, reject);
            if (next != null) {
                out++;
                send.accept(next);
            }
        }
    }

    /** How many permits are out. */
    public int out() {
        return out;
    }
}
