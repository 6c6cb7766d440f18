package dev.penstock.jdbc.store;

import dev.penstock.dedupe.KeyRequest;
import dev.penstock.dedupe.Claim;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a row says, as of the time at which it was read. Pure.
 *
 * @param leaseLeft how many milliseconds its lease still is
 * @param keptLeft how many milliseconds it is kept
 * @param ending null while nobody told how it ended
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record KeyRow(String fingerprint, long owner, long leaseLeft, long keptLeft, byte @Nullable [] ending) {
    /** Whether the key is to be asked for as if it were new. */
    boolean isOver() {
        return keptLeft <= 0;
    }

    boolean isTakenOverBy(WantedKey wanted) {
        Long before = wanted.before();
        return before != null && before == owner && (ending != null || leaseLeft <= 0);
    }

    /** The result for the caller, as long as the row is not changed. */
    Claim stands(KeyRequest ask) {
        return ending == null && owner == ask.owner() ? new Claim.Claimed() : stands();
    }

    /** What everybody else is told. */
    Claim stands() {
        if (ending != null) {
            return new Claim.Ended(fingerprint, owner, ending);
        }
        return leaseLeft > 0
                ? new Claim.Running(fingerprint, Duration.ofMillis(leaseLeft))
                : new Claim.Lapsed(fingerprint, owner);
    }

    /** Somebody else was faster just now: to be asked again at once. */
    static Claim inMotion(KeyRequest ask) {
        return new Claim.Running(ask.fingerprint(), Duration.ZERO);
    }
}
