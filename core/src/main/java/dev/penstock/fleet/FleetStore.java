package dev.penstock.fleet;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Where the members of a fleet meet. Implementations are thread-safe. */
public interface FleetStore {
    /** A lease ends this much later in the store, so that a member whose clock is slow by a twentieth has stopped before. */
    Duration LEASE = FleetMember.LEASE.plusMillis(500);

    /**
     * What a member wants to use, and what nobody else may; in the units of its fleet.
     *
     * @param member the name of a process, which no other one ever has
     * @param wants 0 or more
     * @param holds 0 or more
     * @param ago how long ago it met the others, by the store's clock
     */
    record Claim(String member, long wants, long holds, Duration ago) {
        /** A claim that is made now. */
        public Claim(String member, long wants, long holds) {
            this(member, wants, holds, Duration.ZERO);
        }
    }

    /**
     * Shows one member the claims of the others whose leases have not ended, and stores its answer with a lease of {@link #LEASE}
     * from now on. Only one member of a fleet decides at a time.
     *
     * @param fleet the name of the fleet
     * @param member whose own claim is left out
     * @param decide may be called again when it was not stored
     * @throws Exception it may or may not be stored
     */
    void meet(String fleet, String member, Function<List<Claim>, Claim> decide) throws Exception;

    /**
     * Ends the lease of a member.
     *
     * @throws Exception the lease ends by itself
     */
    void leave(String fleet, String member) throws Exception;
}
