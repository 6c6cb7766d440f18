package dev.penstock.jdbc.store;

import dev.penstock.dedupe.Claim;
import dev.penstock.dedupe.KeyRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of a key's row at the time it was read. Immutable.
 *
 * @param leaseLeft the remaining lease, in milliseconds
 * @param keptLeft the remaining retention, in milliseconds
 * @param ending null until the key has ended
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeyRow(String fingerprint, long owner, long leaseLeft, long keptLeft, byte @Nullable [] ending) {
    /** Whether the key may be claimed like a new one. */
    boolean isExpired() {
        return keptLeft <= 0;
    }

    boolean isTakenOverBy(WantedKey wanted) {
        Long before = wanted.before();
        return before != null && before == owner && (ending != null || leaseLeft <= 0);
    }

    /** The result of a claim that leaves the row unchanged. */
    Claim toClaim(KeyRequest ask) {
        return ending == null && owner == ask.owner() ? new Claim.Claimed() : toClaim();
    }

    /** The result for a caller that does not own the key. */
    Claim toClaim() {
        if (ending != null) {
            return new Claim.Ended(fingerprint, owner, ending);
        }
        return leaseLeft > 0
                ? new Claim.Running(fingerprint, Duration.ofMillis(leaseLeft))
                : new Claim.Lapsed(fingerprint, owner);
    }

    /** Another process changed the row at the same time: the caller should ask again immediately. */
    static Claim contended(KeyRequest ask) {
        return new Claim.Running(ask.fingerprint(), Duration.ZERO);
    }
}
