package dev.penstock.meter;

import dev.penstock.CallContext;
import dev.penstock.Filter;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;

/**
 * The outermost stage: begins and ends each transaction, which its {@link Meter} counts. An exception that is not an ending
 * ends the transaction as {@link Unknown}.
 *
 * @param meter counts the transactions
 */
public record MeterFilter<Q, R>(Meter meter) implements Filter<Q, R> {
    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        return new MeteredService<>(meter, next);
    }

    private record MeteredService<Q, R>(Meter meter, Service<Q, R> next) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = meter.begin(request);
            try {
                R answer = next.call(request);
                meter.answered(answer, callContext);
                return answer;
            } catch (Unanswered ending) {
                meter.ended(ending, callContext);
                throw ending;
            } catch (Throwable unexpected) {
                Unknown ending = AttemptFilter.unknown(unexpected);
                meter.ended(ending, callContext);
                if (unexpected instanceof Error error) {
                    throw error;
                }
                throw ending;
            } finally {
                callContext.end();
            }
        }
    }
}
