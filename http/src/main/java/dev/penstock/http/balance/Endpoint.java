package dev.penstock.http.balance;

import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Target.EndpointReport;
import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.time.Duration;
import java.util.List;

/** One endpoint of a balancer, and its calls. Not thread-safe: the lock of the balancer guards the counts. */
final class Endpoint {
    private static final long FAILED_BEFORE = 1L << 33;
    private static final long WOULD_WAIT = 1L << 32;

    final int index;
    /** Its address, with its number if another endpoint has the same. */
    final String where;

    final Target<HttpCall, HttpAnswer> target;
    final Service<? super HttpCall, ? extends HttpAnswer> service;
    int outstanding;
    private long calls;
    private long failures;
    private long rejected;

    Endpoint(
            int index,
            String where,
            Target<HttpCall, HttpAnswer> target,
            Service<? super HttpCall, ? extends HttpAnswer> service) {
        this.index = index;
        this.where = where;
        this.target = target;
        this.service = service;
    }

    /** A copy without calls. */
    Endpoint unused(List<Endpoint> all) {
        boolean unique = all.stream().allMatch(other -> other.index == index || !other.where.equals(where));
        return new Endpoint(index, unique ? where : where + "#" + (index + 1), target, service);
    }

    /** Its bit in a set of endpoints. */
    long bit() {
        return 1L << index;
    }

    /**
     * The endpoint with the lowest rank gets the call.
     *
     * @param failedBefore the set of endpoints at which the call has failed
     */
    long rank(long failedBefore) {
        boolean waits = service instanceof Flow<?, ?> flow && flow.headroom() == 0;
        return outstanding + (waits ? WOULD_WAIT : 0) + ((failedBefore & bit()) != 0 ? FAILED_BEFORE : 0);
    }

    void begin() {
        outstanding++;
        calls++;
    }

    void end(boolean wasRejected, boolean hasFailed) {
        outstanding--;
        failures += hasFailed ? 1 : 0;
        if (wasRejected) {
            calls--;
            rejected++;
        }
    }

    EndpointReport report(OutlierDetection outliers, long now) {
        return new EndpointReport(
                where,
                outstanding,
                calls,
                failures,
                rejected,
                outliers.ejections(index),
                outliers.isEjected(index),
                Duration.ofNanos(outliers.ejectedFor(index, now)));
    }

    /** The settings of its stages and its target. */
    List<Setting> settings() {
        return service instanceof Flow<?, ?> flow ? flow.settings() : target.settings();
    }
}
