package dev.penstock.meter;

import dev.penstock.CallContext;
import dev.penstock.Filter;
import dev.penstock.Observation;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import org.jspecify.annotations.Nullable;

/**
 * The innermost stage, directly around the target: an {@link AttemptMeter} measures each attempt without the time spent
 * waiting in the flow. Turns an exception that is not an ending into {@link Unknown}.
 *
 * @param meter counts the attempts
 */
public record AttemptFilter<Q, R>(AttemptMeter meter) implements Filter<Q, R> {
    @Override
    public Service<Q, R> around(Service<Q, R> target) {
        return new AttemptedService<>(meter, target);
    }

    private record AttemptedService<Q, R>(AttemptMeter meter, Service<Q, R> target) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            long start = callContext.now();
            meter.started(start);
            Observation observation = callContext.observation();
            if (observation != null) {
                observation.attempt(start);
            }
            try {
                R answer = target.call(request);
                long now = callContext.tick();
                meter.noteStatus(answer, now);
                meter.answered(now - start);
                attempted(observation, answer, null, now);
                return answer;
            } catch (Unanswered ending) {
                meter.unanswered(callContext.tick() - start);
                meter.noteConnectFailure(ending, callContext.now());
                attempted(observation, null, ending, callContext.now());
                throw ending;
            } catch (Exception unexpected) {
                meter.unanswered(callContext.tick() - start);
                attempted(observation, null, unexpected, callContext.now());
                throw unknown(unexpected);
            } catch (Error unexpected) {
                meter.unanswered(callContext.tick() - start);
                attempted(observation, null, unexpected, callContext.now());
                throw unexpected;
            }
        }

        private static void attempted(
                @Nullable Observation observation, @Nullable Object answer, @Nullable Throwable thrown, long now) {
            if (observation != null) {
                observation.attempted(answer, thrown, now);
            }
        }
    }

    /** The ending of a transaction whose target threw an exception that is not an ending. */
    static Unknown unknown(Throwable unexpected) {
        if (unexpected instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new Unknown(
                    Unknown.Cause.INTERRUPTED, "the caller was interrupted before the target answered", unexpected);
        }
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", which does not show whether the request took effect",
                unexpected);
    }
}
