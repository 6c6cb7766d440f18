package dev.penstock.races.survive;

import dev.penstock.Accounting;
import dev.penstock.AnswerCodec;
import dev.penstock.Dedupe;
import dev.penstock.IdempotencyStore;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.flow.TargetLimit;
import dev.penstock.races.survive.Hooks.Hook;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A flow as a program embeds it, with every stage, and with a {@link Hook} wherever the flow calls user code. It
 * deduplicates by transaction id, and retries requests that were not sent.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
final class EmbeddedFlow<Q, R> implements AutoCloseable {
    private static final int MAX_KEYS = 10_000;
    private static final int MIN_PERMITS = 2;

    private final Shape<Q, R> shape;
    private final Target<Q, R> target;
    private final Hooks hooks = new Hooks();
    private final Flow<Q, R> flow;

    /**
     * How transaction ids are carried in requests and answers.
     *
     * @param answers the class of answers
     * @param request creates the request for an id
     * @param idOf extracts the id from a request
     * @param idIn extracts the id from an answer; returns an empty string if answers carry no id
     * @param answer creates the answer that carries an id
     */
    record Shape<Q, R>(
            Class<R> answers,
            Function<String, Q> request,
            Function<Q, String> idOf,
            Function<R, String> idIn,
            Function<String, R> answer) {}

    EmbeddedFlow(FaultPlan schedule, Shape<Q, R> shape, Target<Q, R> target) {
        this.shape = shape;
        this.target = target;
        boolean after = (schedule.seed() & 1) == 0;
        Dedupe<Q> dedupe = Dedupe.<Q>byKey(
                        this::key,
                        new HookedStore(IdempotencyStore.inMemory(MAX_KEYS), hooks, after),
                        new Codec<>(shape, hooks))
                .fingerprint(this::fingerprint);
        Retry<Q> retry = Retry.ofIdempotent((Q request) -> {
            hooks.reached(Hook.RETRY_IDEMPOTENT);
            return false;
        });
        FlowBuilder<Q> stages = Flow.named("survive")
                .deadline(FaultPlan.DEADLINE)
                .dedupe(dedupe)
                .retry(retry)
                .adaptiveConcurrency(MIN_PERMITS, TargetLimit.MOST)
                .priority(this::urgency);
        if (schedule.breaker()) {
            stages.breaker();
        }
        this.flow = stages.to(new HookedTarget<>(target, hooks));
    }

    Hooks hooks() {
        return hooks;
    }

    /** Calls the flow. Returns the id in the answer, or the given id if answers carry none. */
    String call(String id) throws Exception {
        String answered = shape.idIn().apply(flow.call(shape.request().apply(id)));
        return answered.isEmpty() ? id : answered;
    }

    Accounting drain(Duration atMost) {
        return flow.drain(atMost);
    }

    /** The resources that are still held by calls that have ended. */
    List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        if (flow.headroom() < flow.capacity()) {
            leaks.add("%d of %d permits are still held".formatted(flow.capacity() - flow.headroom(), flow.capacity()));
        }
        if (flow.strayCalls() > 0) {
            leaks.add(flow.strayCalls() + " calls to the target are still running");
        }
        long leased = target.connections().getOrDefault("leased", 0L);
        if (leased > 0) {
            leaks.add(leased + " connections are still leased");
        }
        return leaks;
    }

    @Override
    public void close() {
        target.close();
    }

    private String key(Q request) {
        hooks.reached(Hook.DEDUPE_KEY);
        return shape.idOf().apply(request);
    }

    private byte[] fingerprint(Q request) {
        hooks.reached(Hook.DEDUPE_FINGERPRINT);
        return shape.idOf().apply(request).getBytes(StandardCharsets.UTF_8);
    }

    private int urgency(Object request) {
        hooks.reached(Hook.PRIORITY);
        return Math.floorMod(request.hashCode(), 8);
    }

    private record Codec<Q, R>(Shape<Q, R> shape, Hooks hooks) implements AnswerCodec<R> {
        @Override
        public Class<R> kind() {
            return shape.answers();
        }

        @Override
        public byte[] encode(R answer) {
            hooks.reached(Hook.CODEC_ENCODE);
            return shape.idIn().apply(answer).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public R decode(byte[] bytes) {
            hooks.reached(Hook.CODEC_DECODE);
            return shape.answer().apply(new String(bytes, StandardCharsets.UTF_8));
        }

        @Override
        public boolean keeps(R answer) {
            hooks.reached(Hook.CODEC_KEEPS);
            return true;
        }
    }

    /** The target, with hooks for user code before and after it. */
    private record HookedTarget<Q, R>(Target<Q, R> target, Hooks hooks) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            hooks.reached(Hook.TARGET_BEFORE);
            R answer = target.call(request);
            hooks.reached(Hook.TARGET_AFTER);
            return answer;
        }

        @Override
        public boolean honorsDeadline() {
            return target.honorsDeadline();
        }
    }
}
